import { boxGuard } from "./box-guard.ts";
import { boxOptions, workspaceInBox } from "./box-options.ts";
import type { Guard } from "./guard.ts";
import type { HostSystem } from "./host-system.ts";
import { makeMountPoints } from "./mount-points.ts";
import { neverOpened, openProcess } from "./open-process.ts";
import { notStarted, runGuarded } from "./run-process.ts";
import type { BoxRequest, Sandbox } from "./sandbox.ts";
import type { ProcessRequest } from "./spawn.ts";

/**
 * Started outside the box, in bubblewrap's place before it is bubblewrap.
 * - It closes what our own process was started with and did not know of: the box's first process would hold it, and
 *   /proc/1/fd would hand it out.
 * - It leaves a watcher that ends the group when we die, at whatever moment: bubblewrap's own tie to our life comes late.
 * - It puts real pipes behind the standard streams: Node's are sockets, and `tee /dev/stderr` can not open a socket.
 * - `exec` keeps bubblewrap our own child.
 * Its bash is kept from the start-up files of the machine's user, which it would read where its input is a socket.
 */
const launcher = [
  "last=$1; pipes=$2; life=$((last + 1)); shift 2",
  'for open in /proc/self/fd/*; do open=${open##*/}; if [ "$open" -gt "$life" ]; then exec {open}>&-; fi; done',
  'closed=""; for ((i = 3; i <= last; i++)); do closed="$closed $i>&-"; done',
  '(eval "exec <&$life >/dev/null 2>&1 $closed"; read -r _; kill -KILL 0) &',
  'eval "exec $life>&-"',
  'if [ "$pipes" = pipes ]; then eval "exec > >(exec cat $closed) 2> >(exec cat >&2 $closed)"; fi',
  'exec "$@"',
].join("\n");

/** A sandbox of bubblewrap boxes: one for each command, nothing shared but the workspace and the mounts. */
export function bubblewrapSandbox(host: HostSystem): Sandbox {
  return {
    kind: "bubblewrap",
    run: async (request) => {
      const box = makeBox(request, host, "pipes");
      if (typeof box === "string") return notStarted(box);
      return await runGuarded({ ...box.process, stdin: request.stdin }, box.guard);
    },
    open: (request) => {
      const box = makeBox(request, host, "streams");
      return typeof box === "string" ? neverOpened(box) : openProcess(box.process, box.guard);
    },
    workspacePath: () => workspaceInBox,
  };
}

interface Box {
  readonly process: Omit<ProcessRequest, "stdin">;
  readonly guard: Guard;
}

/** Puts a request into words for bubblewrap. A string says why that can not be done. */
function makeBox(request: Omit<BoxRequest, "stdin">, host: HostSystem, streams: "pipes" | "streams"): Box | string {
  const options = boxOptions(request, host);
  if (typeof options === "string") return options;
  const problem = makeMountPoints(request.workspace, request.mounts);
  if (problem !== null) return problem;
  return {
    process: {
      file: host.bash,
      args: ["--norc", "--noprofile", "-c", launcher, "box", `${options.lastDescriptor}`, streams, ...options.argv],
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      timeoutSeconds: request.timeoutSeconds,
      outputBytesMax: request.outputBytesMax,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    },
    guard: boxGuard(options.inputs),
  };
}
