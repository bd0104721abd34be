/** Engines that there are; each is a row of src/engines/table.ts (a test holds the two together). */
export const engineNames = ["builtin"] as const;
