import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sanePath } from "./child-environment.ts";

/** What of the machine is shown in a box, all of it read-only. Read once, when the sandbox is opened. */
export interface HostSystem {
  readonly bubblewrap: string;
  readonly bash: string;
  /** Folders and files that are seen at their own path. */
  readonly shown: readonly string[];
  /** Links of the root folder, such as `/bin` to `usr/bin`. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** The Node that runs us. */
  readonly node: string;
  /** The folder of the npm package, or null where the machine has none. */
  readonly npm: string | null;
  /** Folders with programs, before the system's own. */
  readonly path: readonly string[];
}

/** The few files of /etc that programs need and that hold nothing of the machine's owner. */
const etcFiles = [
  "/etc/alternatives",
  "/etc/ca-certificates",
  "/etc/crypto-policies",
  "/etc/fonts",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/mime.types",
  "/etc/pki/ca-trust/extracted",
  "/etc/pki/tls/certs",
  "/etc/protocols",
  "/etc/services",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
];

const rootFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** Looks at the machine. `missing` names a program that boxes need and the machine has not. */
export function readHostSystem(runtimeFolders: readonly string[]): HostSystem | { readonly missing: string } {
  const bubblewrap = findProgram("bwrap");
  if (bubblewrap === null) return { missing: "bwrap" };
  const bash = findProgram("bash");
  if (bash === null) return { missing: "bash" };
  const root = rootFolders.filter((path) => existsSync(path));
  const links = root.filter((path) => lstatSync(path).isSymbolicLink());
  return {
    bubblewrap,
    bash,
    shown: [
      "/usr",
      ...root.filter((path) => !links.includes(path)),
      ...etcFiles.filter((path) => existsSync(path)),
      ...runtimeFolders,
    ],
    links: links.map((path) => ({ path, target: readlinkSync(path) })),
    node: realpathSync(process.execPath),
    npm: findNpm(),
    path: runtimeFolders.flatMap((folder) => (existsSync(join(folder, "bin")) ? [join(folder, "bin")] : [folder])),
  };
}

function findProgram(name: string): string | null {
  const places = sanePath(process.env["PATH"]).map((folder) => join(folder, name));
  const found = places.find(isProgram);
  return found === undefined ? null : realpathSync(found);
}

/** A folder of PATH that we may not look into is one without programs. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** npm beside the Node that runs us, else the machine's: its package is plain JavaScript and runs under any Node. */
function findNpm(): string | null {
  const beside = join(dirname(dirname(realpathSync(process.execPath))), "lib", "node_modules", "npm");
  const program = findProgram("npm");
  const candidates = program === null ? [beside] : [beside, dirname(dirname(program))];
  return candidates.find((folder) => existsSync(join(folder, "bin", "npm-cli.js"))) ?? null;
}
