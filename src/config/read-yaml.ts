import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from "yaml";
import { writePath, type ConfigProblem, type Path, type Place } from "./config-problem.ts";

/** Larger than any configuration that a person wrote, in bytes of UTF-8. */
export const fileBytesMax = 64 * 1024;

/** Values of one file with aliases written out: an alias of aliases can not grow without end. */
const valuesMax = 20_000;
const aliasesMax = 100;
const depthMax = 30;
const problemsMax = 50;
/** One slip makes the parser complain of all that follows. */
const yamlErrorsShown = 3;

export interface YamlFile {
  /** Plain maps, lists and scalars; null where the file is empty or can't be read. */
  readonly value: unknown;
  /** Where each value stands, by its dotted path. */
  readonly places: ReadonlyMap<string, Place>;
  /** Where each key stands, by the dotted path of its value. */
  readonly keys: ReadonlyMap<string, Place>;
  readonly problems: readonly ConfigProblem[];
}

/** Reads one YAML file with the place of every value. Never throws; everything that is wrong is told. */
export function readYaml(source: string, text: string): YamlFile {
  const start = { source, line: 1, column: 1 };
  const places = new Map<string, Place>([["", start]]);
  const keys = new Map<string, Place>();
  const problems: ConfigProblem[] = [];
  const fail = (place: Place, path: Path, reason: string): void => {
    if (problems.length < problemsMax) problems.push({ ...place, path: writePath(path), reason, nearest: null });
  };
  const give = (value: unknown): YamlFile => ({ value, places, keys, problems });
  if (Buffer.byteLength(text) > fileBytesMax) {
    fail(start, [], `is larger than ${fileBytesMax / 1024} KiB`);
    return give(null);
  }
  const counter = new LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { source, line: Math.max(1, line), column: Math.max(1, col) };
  };
  try {
    // Duplicates are looked for below: the parser compares each key with each other one.
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: false });
    for (const error of [...document.errors, ...document.warnings].slice(0, yamlErrorsShown)) {
      fail(at(error.pos[0]), [], `is not valid YAML: ${error.message.replaceAll(/\s+/g, " ").slice(0, 200)}`);
    }
    if (problems.length > 0) return give(null);
    return give(toPlain(document, { places, keys, at, fail }));
  } catch (error) {
    // Nesting beyond the stack ends here too.
    fail(start, [], error instanceof RangeError ? "is nested too deeply" : "is not valid YAML");
    return give(null);
  }
}

interface Walk {
  readonly keys: Map<string, Place>;
  readonly places: Map<string, Place>;
  readonly at: (offset: number) => Place;
  readonly fail: (place: Place, path: Path, reason: string) => void;
}

/** By hand rather than by the library's `toJS`: aliases that contain themselves, and the place of every value. */
function toPlain(document: Document, { places, keys, at, fail }: Walk): unknown {
  let left = valuesMax;
  let aliasesLeft = aliasesMax;

  function placeOf(node: Node | null, fallback: Place): Place {
    return node?.range ? at(node.range[0]) : fallback;
  }

  function walk(node: Node | null, path: Path, around: Place): unknown {
    const place = placeOf(node, around);
    places.set(writePath(path), place);
    left -= 1;
    if (left === 0) fail(place, [], `holds more than ${valuesMax} values with its aliases written out`);
    if (left <= 0) return null;
    if (path.length > depthMax) {
      fail(place, [], "is nested too deeply");
      return null;
    }
    if (isAlias(node)) {
      aliasesLeft -= 1;
      // Each look-up reads the document from its start.
      const target = aliasesLeft < 0 ? undefined : node.resolve(document);
      if (aliasesLeft === -1) fail(place, path, `is one of more than ${aliasesMax} aliases`);
      else if (aliasesLeft >= 0 && target === undefined) fail(place, path, `names no anchor: *${node.source}`);
      // One that contains itself ends at the greatest depth.
      return target === undefined ? null : walk(target, path, place);
    }
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map((item, index) => walk(item as Node | null, [...path, index], place));
    return isMap(node) ? walkMap(node.items, path, place) : null;
  }

  function walkMap(items: readonly { key: unknown; value: unknown }[], path: Path, around: Place): unknown {
    const plain: Record<string, unknown> = {};
    for (const { key, value } of items) {
      const place = placeOf(key as Node | null, around);
      const name = isScalar(key) ? key.value : null;
      if (typeof name !== "string" || name === "__proto__") {
        fail(place, path, "holds a key that is not a plain name");
      } else if (Object.hasOwn(plain, name)) {
        fail(place, [...path, name], "is written twice");
      } else {
        keys.set(writePath([...path, name]), place);
        plain[name] = walk(value as Node | null, [...path, name], place);
        if (plain[name] === null) places.set(writePath([...path, name]), place);
      }
    }
    return plain;
  }

  return walk(document.contents, [], at(0));
}
