// Starts a grandchild in a session of its own that holds our streams and never ends, says its id, and ends or stays.
// Arguments: a marker for the process list, "end" or "stay".
import { spawn } from "node:child_process";

const [marker = "", then = "end"] = process.argv.slice(2);
const grandchild = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", marker], {
  detached: true,
  stdio: ["ignore", "inherit", "inherit"],
});
grandchild.unref();
console.log(grandchild.pid);
if (then === "stay") setInterval(() => {}, 1_000);
