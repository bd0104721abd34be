import { commentCharactersMax, cutText } from "./limits.ts";
import { redactSecrets } from "./redact.ts";

/** Room for the marker that is put before a comment's body, in characters. */
const markerRoomCharacters = 500;

/** The last gate before a text goes to GitHub: no secret leaves, and GitHub's limit holds. */
export function leave(holder: { readonly secrets: readonly string[] }, text: string): string {
  const { text: clean, redacted } = redactSecrets(text, holder.secrets);
  const what = redacted === 1 ? "secret was" : "secrets were";
  const told = redacted === 0 ? clean : `${clean}\n\n_${redacted} ${what} removed from this text._`;
  return cutText(
    told,
    commentCharactersMax - markerRoomCharacters,
    "\n\n_Cut at GitHub's limit; the rest is in the record._",
  );
}
