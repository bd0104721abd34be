import type { Child, ChildEnd } from "./start-child.ts";

/** What a kind of box adds to a bare child. */
export interface Guard {
  readonly inputs: readonly string[];
  readonly control: boolean;
  /** Called once, right after the start. */
  watch(child: Child): void;
  /** Kills what the process group does not reach. */
  kill(): void;
  /** The child itself ended: waits, bounded, until nothing that it started is left. */
  settle(child: Child): Promise<void>;
  /** Why the program never ran although its box was started; null when it ran. */
  refusal(end: ChildEnd): string | null;
  /** Called at the very end, also when nothing was started. Must not throw. */
  clean(): void;
}

/** No box: the process group is all that holds a child. */
export const plainGuard: Guard = {
  inputs: [],
  control: false,
  watch() {},
  kill() {},
  settle(child) {
    child.kill();
    return Promise.resolve();
  },
  refusal: () => null,
  clean() {},
};
