/** The numbers and names that decisions depend on, pinned at the trigger from the repository's and the operator's rules. */
export interface Policy {
  /** 0 or 1. More is refused by the configuration: two runs a chain is a hard cap. */
  readonly maxRevisions: 0 | 1;
  /** 0 to 5, a run. */
  readonly fixTurnsMax: number;
  /** Names of gates that must pass; empty: all that ran. */
  readonly requiredGates: readonly string[];
  readonly approval: "not-needed" | "needed";
}

/** The hard cap on implementer runs in one chain. A constant, not a setting. */
export const runsMax = 2;

/** Tries of a run whose engine could not start and wrote nothing. */
export const startTriesMax = 3;

/** Repeats of a turn that a crash of our own cut off. */
export const interruptedTurnsMax = 2;

/** How long an approval is waited for, in days. */
export const approvalDaysMax = 14;

/** Tries of the closing steps, each with its own retries, before the chain ends without them. */
export const closeTriesMax = 2;

/** The most completed fix turns a run can have; a repository may only ask for fewer. */
export const fixTurnsCap = 5;

/** Turns of one run at most: its tries to start, the last of which writes, and its fix turns. */
export const turnsOfRunMax = startTriesMax + fixTurnsCap;

/**
 * The most steps a chain can take: announce, preflight, prepare; two runs, each turn verified, each run judged once;
 * publish; close. Waits for an approval are not counted: they spend nothing, and days bound them.
 */
export const stepsMax = 3 + runsMax * (turnsOfRunMax * 2 + 1) + 1 + closeTriesMax;
