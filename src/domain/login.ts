import type { Person } from "./trigger.ts";

/** Whether two logins name one account. A bot's is written with and without `[bot]`; case never matters. */
export function isSameLogin(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

/** An account that no person types with. */
export function isBot(person: Person): boolean {
  return person.type === "Bot" || /\[bot\]$/i.test(person.login);
}

function bare(login: string): string {
  return login
    .trim()
    .toLowerCase()
    .replace(/\[bot\]$/, "");
}
