import { posix } from "node:path";

/** Programs whose first argument is the file that they run. */
const interpreters = new Set(
  "bash sh zsh dash node deno bun tsx ts-node python python3 ruby perl php pwsh source .".split(" "),
);

/** Words in front of a program. */
const prefixes = new Set("exec env time nice npx bunx command xvfb-run poetry uv pipenv run pnpm yarn".split(" "));

/** Options of interpreters behind which no program file comes: the file behind them is what is examined. */
const notPrograms = new Set(["--test", "--check", "-e", "--eval", "-p", "--print", "-m", "-c", "--run"]);

/** Options whose value says how a tool works. */
const definingOptions =
  /^(?:-c|--config(?:-file|uration|Path)?|-f|--file|-p|--project|--tsconfig|--rcfile|-r|--require|--import|--loader|--experimental-loader|--env-file|--setupFiles|--justfile|--makefile)(?:=(.*))?$/;

/**
 * The files that a command line runs or is told how to work by, relative to the tree: scripts and named configurations,
 * not what they examine. Words are split like a simple shell does; what that can not see is no file by name either.
 */
export function findProgramFiles(command: string, workingDirectory: string): readonly string[] {
  const found: string[] = [];
  let folder = workingDirectory;
  for (const part of splitCalls(command)) {
    const words = splitWords(part);
    if (words[0] === "cd") folder = posix.join(folder, words[1] ?? "");
    found.push(...filesOfCall(words).map((file) => posix.join(folder, file)));
  }
  return found.filter((file) => !file.startsWith("..") && !posix.isAbsolute(file));
}

/** The single calls of a command line. */
export function splitCalls(command: string): readonly string[] {
  return command.split(/&&|\|\||[;|&\n]/).map((part) => part.trim());
}

/** The words of a call, quotes taken off. */
export function splitWords(text: string): readonly string[] {
  return (text.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replaceAll(/^["']|["']$/g, ""));
}

function filesOfCall(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !/^\w+=/.test(word) && !prefixes.has(word));
  const program = words[start];
  if (program === undefined) return [];
  const args = words.slice(start + 1);
  const files = program.includes("/") ? [program] : [];
  for (const [index, arg] of args.entries()) {
    const match = definingOptions.exec(arg);
    const value = match === null ? undefined : (match[1] ?? args[index + 1]);
    if (value !== undefined) files.push(value);
  }
  if (interpreters.has(program) && !args.some((arg) => notPrograms.has(arg))) {
    const first = args.find((arg, index) => !arg.startsWith("-") && !definingOptions.test(args[index - 1] ?? ""));
    if (first !== undefined) files.push(first);
  }
  return files;
}
