// Takes the lock of a folder and holds it until its input ends.
import { once } from "node:events";
import { GavelError } from "../../../src/errors.ts";
import { lockFolder } from "../../../src/store/folder-lock.ts";

const [, , folder = "", socket = ""] = process.argv;
try {
  const lock = await lockFolder(folder, socket);
  console.log("taken");
  await once(process.stdin.resume(), "end");
  lock.release();
} catch (error) {
  if (!(error instanceof GavelError)) throw error;
  console.log(`refused ${error.message}`);
}
