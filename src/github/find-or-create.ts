import { outcomeUnknown } from "./retry.ts";

/** Rounds of looking and creating before the trouble is the caller's. */
const roundsMax = 3;

/** Pause before looking for what an unanswered request may have made, in milliseconds. */
const settleMilliseconds = 1000;

/**
 * Makes a thing once: looks for it, creates it where it is missing, and where the answer to that got lost looks again
 * instead of asking twice. GitHub's lists are right about our own writes a moment later, not at once: hence the pause.
 */
export async function findOrCreate<T>(find: () => Promise<T | null>, create: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++) {
    const found = await find();
    if (found !== null) return found;
    try {
      return await create();
    } catch (error) {
      if (!outcomeUnknown(error) || round === roundsMax) throw error;
      await new Promise((resolve) => setTimeout(resolve, settleMilliseconds));
    }
  }
}
