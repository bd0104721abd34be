import type { Spending, SpendingReservation, SpendingUsed } from "../../src/gateway/spending.ts";

interface Row {
  readonly chain: string;
  readonly reserved: SpendingReservation;
  used: SpendingUsed | null;
}

/** A spending book in memory with the rule of the real one: what was never settled counts in full. */
export function openSpendingBook(): Spending & { readonly rows: readonly Row[]; readonly order: string[] } {
  const rows: Row[] = [];
  const order: string[] = [];
  return {
    rows,
    order,
    reserve(chain, reserved) {
      order.push("reserve");
      return Promise.resolve(String(rows.push({ chain, reserved, used: null }) - 1));
    },
    settle(id, used) {
      order.push("settle");
      const row = rows[Number(id)];
      if (row !== undefined) row.used = used;
      return Promise.resolve();
    },
    read(chain) {
      const own = rows.filter((row) => row.chain === chain);
      const usd = own.map((row) => (row.used === null ? row.reserved.usdMax : row.used.usd));
      return Promise.resolve({
        tokens: own.reduce(
          (sum, { used, reserved }) =>
            sum + (used === null ? reserved.tokensMax : used.inputTokens + used.outputTokens),
          0,
        ),
        usd: usd.includes(null) ? null : usd.reduce<number>((sum, one) => sum + (one ?? 0), 0),
        calls: own.length,
      });
    },
  };
}
