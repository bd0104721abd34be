// Writes the given number of mebibytes to standard output, with a first and a last line of its own.
import { writeSync } from "node:fs";

const line = `${"x".repeat(1023)}\n`.repeat(1024);
writeAll("first line\n");
for (let mebibyte = 0; mebibyte < Number(process.argv[2]); mebibyte += 1) writeAll(line);
writeAll("last line\n");

function writeAll(text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
