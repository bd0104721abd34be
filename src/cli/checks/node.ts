import { bad, type Check, good } from "./finding.ts";

/** The least Node that strips types without a flag and without a warning. */
const least = [24, 12] as const;

export const checkNode: Check = async () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > least[0] || (major === least[0] && minor >= least[1]))
    return [good("node", `Node ${process.versions.node}`)];
  return [
    bad("node", {
      code: "node-too-old",
      message: `This is Node ${process.versions.node}.`,
      cure: `Install Node ${least.join(".")} or newer from https://nodejs.org.`,
    }),
  ];
};
