import { delimiter, isAbsolute } from "node:path";

/** Where a child finds its programs and may leave things. */
export interface ChildPlaces {
  readonly path: readonly string[];
  readonly home: string;
  readonly temporary: string;
  readonly user: string;
}

/**
 * The whole environment that a child starts from: fixed names, fixed values, nothing copied from ours. A variable of
 * ours can hold a secret under any name, so a list of what to leave out could never be complete.
 */
export function childEnvironment(places: ChildPlaces): Record<string, string> {
  return {
    PATH: places.path.join(delimiter),
    HOME: places.home,
    USER: places.user,
    LOGNAME: places.user,
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TZ: "UTC",
    TERM: "dumb",
    TMPDIR: places.temporary,
  };
}

const systemPath = ["/usr/local/bin", "/usr/bin", "/bin"];

/**
 * The folders of a PATH that can be trusted in any working folder: absolute ones, and none of an installed package's
 * programs. The system's folders are always there.
 */
export function sanePath(path: string | undefined): readonly string[] {
  const folders = (path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.includes("/node_modules/"));
  return [...new Set([...folders, ...systemPath])];
}
