import { posix } from "node:path";
import { childEnvironment } from "./child-environment.ts";
import type { HostSystem } from "./host-system.ts";
import type { BoxRequest } from "./sandbox.ts";

/** Where things are in the box. */
export const workspaceInBox = "/workspace";
const home = "/home/agent";
const nodeFolder = "/opt/node";

const mebibyte = 1024 * 1024;
/** Folders in memory. */
const temporaryBytesMax = 2048 * mebibyte;
const homeBytesMax = 1024 * mebibyte;
const sharedMemoryBytesMax = 512 * mebibyte;
const smallFolderBytesMax = 16 * mebibyte;

/** For each process: V8, compilers and linkers stay far below; what runs away does not take the machine with it. */
const dataBytesMax = 8192 * mebibyte;
/** The largest file a process may write. */
const fileBytesMax = 4096 * mebibyte;
/** Processes and threads of one box. The kernel does not count those of root: an ordinary user is the better host. */
const processesMax = 4096;

/** The user in the box. It owns what the user who runs us owns, and nothing else. */
const user = { id: "1000", name: "agent" };

/** Stand-ins for files that would tell about the machine. They are handed over as open descriptors. */
const standIns = [
  {
    path: "/etc/passwd",
    text: `root:x:0:0:root:/root:/usr/sbin/nologin\n${user.name}:x:${user.id}:${user.id}:${user.name}:${home}:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
  },
  { path: "/etc/group", text: `root:x:0:\n${user.name}:x:${user.id}:\nnogroup:x:65534:\n` },
  { path: "/etc/hosts", text: "127.0.0.1 localhost box\n::1 localhost ip6-localhost\n" },
  { path: "/etc/nsswitch.conf", text: "passwd: files\ngroup: files\nhosts: files\n" },
];

/**
 * Parts of /proc that the kernel lets the machine's root write even without any capability (core_pattern names a
 * program that then runs outside), and a box that root starts is root to the kernel. bubblewrap leaves them writable.
 */
const kernelSettings = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/pressure"];

/**
 * The first program in the box. bubblewrap binds the box's first process to its own life late, and where we died before
 * that nothing would ever end the box. So this looks until that process sleeps in its last wait (it is bound then), says
 * that it is ready, and waits for our word: from a dead one it gets the end instead, and the box ends.
 * Then it sets the limits, which the kernel counts for this box alone, and becomes the command.
 */
const starter = [
  "go=$1; shift",
  'until read -r _ _ state _ < /proc/1/stat && [ "$state" = S ]; do :; done',
  'echo ready >&"$go"; read -r _ <&"$go" || exit 125',
  "exec {go}>&-",
  `ulimit -c 0 -d ${dataBytesMax / 1024} -f ${fileBytesMax / 1024} -u ${processesMax}`,
  'exec -- "$@"',
].join("\n");

/** First descriptor behind the standard three. */
const firstInput = 3;

export interface BoxOptions {
  /** Texts for the descriptors 3, 4, …: the options themselves first, so that they stand in no process list. */
  readonly inputs: readonly string[];
  /** The last descriptor that bubblewrap and the box need. */
  readonly lastDescriptor: number;
  readonly argv: readonly string[];
}

/** The whole box as bubblewrap's options. Pure. A string says why the request can not be put into words. */
export function boxOptions(request: Omit<BoxRequest, "stdin">, host: HostSystem): BoxOptions | string {
  const reportDescriptor = firstInput + 1 + standIns.length;
  const goDescriptor = reportDescriptor + 1;
  const ownHome = request.mounts.some((mount) => mount.target === home);
  const options = [
    ["--unshare-all", "--unshare-user", "--disable-userns", "--uid", user.id, "--gid", user.id, "--hostname", "box"],
    ["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ["--perms", "0755", "--dir", "/etc", "--perms", "0755", "--dir", "/home", "--perms", "0755", "--dir", "/opt"],
    ...host.shown.map((path) => ["--ro-bind", path, path]),
    ...host.links.map(({ path, target }) => ["--symlink", target, path]),
    ...standIns.map(({ path }, index) => ["--perms", "0444", "--ro-bind-data", `${firstInput + 1 + index}`, path]),
    ["--proc", "/proc"],
    ...kernelSettings.map((path) => ["--ro-bind-try", path, path]),
    ["--dev", "/dev"],
    memory("/dev/shm", sharedMemoryBytesMax, "1777"),
    memory("/tmp", temporaryBytesMax, "1777"),
    memory("/run", smallFolderBytesMax, "0755"),
    ["--symlink", "/tmp", "/var/tmp"],
    ownHome ? [] : memory(home, homeBytesMax, "0700"),
    ["--ro-bind", host.node, `${nodeFolder}/bin/node`],
    host.npm === null ? [] : npmOptions(host.npm),
    [request.profile === "judge" ? "--ro-bind" : "--bind", request.workspace, workspaceInBox],
    ...request.mounts.map(({ source, target, access }) => [access === "read" ? "--ro-bind" : "--bind", source, target]),
    ["--remount-ro", "/", "--json-status-fd", `${reportDescriptor}`, "--clearenv"],
    ...Object.entries(environmentOf(request, host)).map(([name, value]) => ["--setenv", name, value]),
    ["--chdir", posix.join(workspaceInBox, request.workingDirectory)],
  ].flat();
  const starting = [host.bash, "--norc", "--noprofile", "-c", starter, "box"];
  const torn = [...options, ...request.argv].find((option) => option.includes("\0"));
  // NUL separates the options: one inside a value would begin an option of somebody else's choice.
  if (torn !== undefined) return "an argument, a path or a variable holds a NUL character";
  return {
    inputs: [options.map((option) => `${option}\0`).join(""), ...standIns.map(({ text }) => text)],
    lastDescriptor: goDescriptor,
    argv: [host.bubblewrap, "--args", `${firstInput}`, "--", ...starting, `${goDescriptor}`, ...request.argv],
  };
}

function memory(path: string, bytes: number, permissions: string): readonly string[] {
  return ["--perms", permissions, "--size", `${bytes}`, "--tmpfs", path];
}

function npmOptions(npm: string): readonly string[] {
  const inBox = `${nodeFolder}/lib/node_modules/npm`;
  const programs = ["npm", "npx"].flatMap((name) => [
    "--symlink",
    `${inBox}/bin/${name}-cli.js`,
    `${nodeFolder}/bin/${name}`,
  ]);
  return ["--ro-bind", npm, inBox, ...programs];
}

function environmentOf(request: Omit<BoxRequest, "stdin">, host: HostSystem): Readonly<Record<string, string>> {
  const path = [`${nodeFolder}/bin`, ...host.path, "/usr/local/bin", "/usr/bin", "/bin"];
  return { ...childEnvironment({ path, home, temporary: "/tmp", user: user.name }), ...request.env };
}
