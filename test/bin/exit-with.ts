// Says something on both streams and ends with the given exit code.
console.log("out");
console.error("err");
process.exitCode = Number(process.argv[2]);
