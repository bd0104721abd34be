// Never ends by itself, and ignores every signal that can be ignored.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
console.log("hanging");
setInterval(() => {}, 1_000);
