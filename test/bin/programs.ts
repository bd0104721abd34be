import { join } from "node:path";

/** The folder of little real programs that misbehave in one way each. */
export const programs = import.meta.dirname;

/** argv of one of them, run by the Node that runs the tests. */
export function program(name: string, ...args: readonly string[]): readonly [string, ...string[]] {
  return [process.execPath, join(programs, `${name}.ts`), ...args];
}
