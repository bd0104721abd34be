/** Text of others on its way in, text of models on its way out. Redact secrets (redact.ts) before defanging. */
export { defang, defangLine, defangPlain } from "./defang.ts";
export { removeInvisible } from "./invisible.ts";
