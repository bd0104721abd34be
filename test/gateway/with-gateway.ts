import { afterEach } from "vitest";
import type { Caller, Gateway, ModelAccess, SpendingLimits } from "../../src/gateway/access.ts";
import type { GatewayOptions } from "../../src/gateway/gateway.ts";
import { openGateway } from "../../src/gateway/gateway.ts";
import type { Answer, FakeAnthropic } from "./fake-anthropic.ts";
import { fakeModel, realKey, startFakeAnthropic } from "./fake-anthropic.ts";
import { openSpendingBook } from "./spending-book.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Closed after the test, last opened first. */
export function closeAfterTest(close: () => Promise<void>): void {
  closers.push(close);
}

export const caller: Caller = { chain: "chain-1", role: "implementer", run: 1, turn: 1, name: "builtin" };

export const wide: SpendingLimits = { usdMax: 1_000, tokensMax: 100_000_000 };

export interface Setup {
  readonly gateway: Gateway;
  readonly access: ModelAccess;
  readonly provider: FakeAnthropic;
  readonly book: ReturnType<typeof openSpendingBook>;
}

/** A gateway before a scripted provider, and one access to it. */
export async function openBoth(
  script: readonly Answer[],
  limits: SpendingLimits = wide,
  options: Partial<GatewayOptions> = {},
): Promise<Setup> {
  const provider = await startFakeAnthropic(script);
  closeAfterTest(() => provider.close());
  const book = openSpendingBook();
  const gateway = await openGateway({
    upstream: { anthropic: { apiKey: realKey, baseUrl: provider.baseUrl } },
    cassette: null,
    spending: book,
    ...options,
  });
  closeAfterTest(() => gateway.close());
  return { gateway, provider, book, access: await gateway.grant(caller, fakeModel, limits) };
}

/** One call to `/messages` as a client makes it. */
export async function ask(access: ModelAccess, body: object = {}, init: RequestInit = {}): Promise<Response> {
  return fetch(`${access.baseUrl}/messages`, {
    method: "POST",
    headers: { "x-api-key": access.token, "anthropic-version": "2023-06-01", "content-type": "application/json" },
    body: JSON.stringify({
      model: access.model,
      max_tokens: 100,
      messages: [{ role: "user", content: "hello" }],
      ...body,
    }),
    ...init,
  });
}

/** The message of an error reply. */
export async function errorOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error: { message: string } };
  return body.error.message;
}
