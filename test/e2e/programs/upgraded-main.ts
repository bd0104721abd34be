/** The server of a later version, in which NEEDS_WORK never gets a revision. Everything else is the same. */
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith("/src/domain/after-verdict.ts")) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString("utf8");
    if (!source.includes("The judges ask for fixes"))
      throw new Error("the rule that this version changes is not there");
    return {
      ...loaded,
      source: source.replace(/canRevise\(situation\)\s*\?\s*revise\("The judges ask for fixes[^)]*\)\s*:/, ""),
    };
  },
});

await import("../../../src/main.ts");
