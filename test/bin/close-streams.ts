// Closes its output streams and lives on.
import { closeSync } from "node:fs";

closeSync(1);
closeSync(2);
setInterval(() => {}, 1_000);
