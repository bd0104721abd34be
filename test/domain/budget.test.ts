import { expect, test } from "vitest";
import { checkBudget } from "../../src/domain/budget.ts";

const limits = { usdMax: 5, tokensMax: 4_000_000, minutesMax: 90 };
const spent = { usd: 1, tokens: 1_000, minutes: 3 };

test.each([
  [{}, {}, null],
  [{ usd: 4.999, tokens: 3_999_999, minutes: 89.9 }, {}, null],
  [{ usd: 5 }, {}, "budget spent: $5.00 of $5.00 for this chain"],
  [{ usd: 0.004 }, { usdMax: 0.004 }, "budget spent: $0.0040 of $0.0040 for this chain"],
  [{ tokens: 4_000_000 }, {}, "budget spent: 4,000,000 of 4,000,000 tokens for this chain"],
  [{ minutes: 90.5 }, {}, "budget spent: 90 of 90 minutes for this chain"],
  [{ usd: 0 }, { usdMax: 0 }, "budget spent: $0.00 of $0.00 for this chain"],
  [
    { usd: null },
    {},
    "budget spent: the price of a model is not known, so the limit of $5.00 for this chain can not be kept; the operator can set a price",
  ],
  // Without a money limit, an unknown price keeps nothing from going on.
  [{ usd: null }, { usdMax: Number.POSITIVE_INFINITY }, null],
  [{ usd: null, tokens: 5_000_000 }, {}, "budget spent: 5,000,000 of 4,000,000 tokens for this chain"],
])("spent %j of %j → %s", (use, bounds, expected) => {
  const found = checkBudget({ limits: { ...limits, ...bounds }, spent: { ...spent, ...use } });
  expect(found?.reason ?? null).toBe(expected);
});

test("it names the limit", () => {
  expect(checkBudget({ limits, spent: { ...spent, usd: null } })?.limit).toBe("money");
  expect(checkBudget({ limits, spent: { ...spent, tokens: 4_000_000 } })?.limit).toBe("tokens");
  expect(checkBudget({ limits, spent: { ...spent, minutes: 90 } })?.limit).toBe("minutes");
});
