import { GavelError } from "../errors.ts";

/** Says what went wrong and what to do, on standard error; the stack only where somebody looks for a fault of ours. */
export function printError(error: unknown, withStack: boolean): void {
  if (error instanceof GavelError) {
    console.error(`gavel: ${error.message} (${error.code})\n${error.cure}`);
  } else {
    const message = error instanceof Error ? error.message : String(error);
    console.error(`gavel: ${message}\nThis is not an error we know; LOG_LEVEL=debug shows where it comes from.`);
  }
  if (withStack && error instanceof Error) console.error(error.stack);
}
