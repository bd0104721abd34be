import { type Logger, pino } from "pino";

/** Secrets that a log line could hold by its keys. */
const redacted = [
  "authorization",
  "*.authorization",
  "headers.authorization",
  "*.headers.authorization",
  "privateKey",
  "token",
  "*.token",
];

/** The server's log: JSON on standard output. Payloads are never part of it. */
export function openLog(level: string): Logger {
  return pino({ level, base: null, redact: { paths: redacted, censor: "[redacted]" } });
}
