/** One thing that is wrong in a configuration, and where. */
export interface ConfigProblem {
  /** Name of the file, as it was handed in. */
  readonly source: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Dotted, with list positions from 0: `gates.run.0.name`; empty for the whole file. */
  readonly path: string;
  /** What is wrong, as a sentence's end behind the path: `must be …`, `is not …`. */
  readonly reason: string;
  /** The valid name that was probably meant, or null. */
  readonly nearest: string | null;
}

/** Where a value was written. */
export interface Place {
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

export type Path = readonly (string | number)[];

export function writePath(path: Path): string {
  return path.join(".");
}
