import { parseArgs } from "node:util";
import { chainSmall } from "./chain-small.ts";
import type { Figures } from "./figure.ts";

/** `npm run bench`: every figure, one file each; the last line with `--json` is all of them as JSON. */
const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, runs: { type: "string", default: "5" } },
});

const runs = Math.min(50, Math.max(1, Number(values.runs) || 1));
const figures: Figures = await chainSmall(runs);

if (values.json) {
  console.log(JSON.stringify({ figures }));
} else {
  for (const [name, { value, unit, min, max, ratio }] of Object.entries(figures)) {
    const shown = `${value.toFixed(2)} ${unit} (${min.toFixed(2)} to ${max.toFixed(2)})`;
    console.log(`${name.padEnd(28)} ${shown}${ratio === undefined ? "" : `, ${ratio.toFixed(1)} × the floor`}`);
  }
}
