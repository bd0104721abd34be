// Reads standard input in small pieces, each after the other was dealt with, and says how many bytes there were.
let bytes = 0;
for await (const chunk of process.stdin) {
  bytes += (chunk as Buffer).length;
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(bytes);
