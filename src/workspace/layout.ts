import { basename, dirname, join } from "node:path";
import { GavelError } from "../errors.ts";

/** Where a repository's things lie. Nothing but the trees is ever seen inside a sandbox. */
export interface RepositoryLayout {
  readonly folder: string;
  readonly mirror: string;
  readonly trees: string;
  /** Things to be deleted later, off the critical path. */
  readonly trash: string;
  /** Outputs of `setup`, one folder each. */
  readonly setups: string;
}

export function repositoryLayout(dataFolder: string, key: string): RepositoryLayout {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(key)) {
    throw new GavelError("repository-key", `"${key}" can not name a repository's folder`, "Use letters and digits.");
  }
  const folder = join(dataFolder, "repositories", key);
  return {
    folder,
    mirror: join(folder, "mirror.git"),
    trees: join(folder, "trees"),
    trash: join(folder, "trash"),
    setups: join(folder, "setup"),
  };
}

/** What belongs to one pooled tree; all but `path` lies outside it, out of an agent's reach. */
export interface TreePlace {
  readonly path: string;
  readonly mirror: string;
  /** Also the cache of stat data that makes a reuse cheap. */
  readonly index: string;
  readonly lock: string;
  /** Scratch folder and index of a reading in progress. */
  readonly scratch: string;
}

export function treePlace(path: string): TreePlace {
  const trees = dirname(path);
  const beside = (suffix: string): string => join(trees, `${basename(path)}.${suffix}`);
  return {
    path,
    mirror: join(dirname(trees), "mirror.git"),
    index: beside("index"),
    lock: beside("lock"),
    scratch: beside("scratch"),
  };
}
