import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marker, markerKinds, readMarker } from "../../src/text/markers.ts";

const chain = "01JABCDEFGHJKMNPQRSTVWXYZ0";

describe("markers", () => {
  it("are read back from the start or the end", () => {
    fc.assert(
      fc.property(fc.constantFrom(...markerKinds), fc.string({ unit: "grapheme", maxLength: 10 }), (kind, extra) => {
        const tag = marker(kind, chain, extra);
        const read = { kind, chain, extra };
        expect(readMarker(tag)).toEqual(read);
        expect(readMarker(`${tag}\r\nbody`)).toEqual(read);
        expect(readMarker(`body\n\n${tag}\n`)).toEqual(read);
      }),
    );
  });

  it.each([
    ["in the middle", `a\n${marker("verdict", chain)}\nb`],
    ["behind words", `a ${marker("verdict", chain)}`],
    ["quoted", `> ${marker("verdict", chain)}`],
    ["escaped", `\\${marker("verdict", chain)}`],
    ["in code", `\`${marker("verdict", chain)}\``],
    ["of an unknown kind", `<!-- gavel:verdicts ${chain} -->`],
    ["without a chain", "<!-- gavel:verdict -->"],
    ["with broken percent signs", `<!-- gavel:verdict ${chain} %E0%A4 -->`],
    ["too long", `<!-- gavel:verdict ${chain} ${"a".repeat(500)} -->`],
    ["in no text", ""],
  ])("do not count %s", (_, body) => {
    expect(readMarker(body)).toBeNull();
  });

  it("do not count in a null body", () => {
    expect(readMarker(null)).toBeNull();
  });

  it("are refused for a chain id that would not be found again", () => {
    expect(() => marker("status", "a -->")).toThrow(TypeError);
  });
});
