import { GavelError } from "../errors.ts";

export const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** Only whole ids are handed to git, so that no name of ours can be read as an option or an expression. */
export function checkObjectId(text: string): string {
  if (isObjectId(text)) return text;
  throw new GavelError("object-id", `"${text.slice(0, 80)}" is no object id`, "Give the full id: 40 hex digits.");
}

// What `git check-ref-format` refuses; `:`, `+` and `*` would also change the meaning of a refspec.
// oxlint-disable-next-line no-control-regex -- control characters are among what is refused
const refused = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/;

/** A full ref name, for example `refs/heads/feature/x`. */
export function checkRef(text: string): string {
  if (text.startsWith("refs/") && text.split("/").length >= 3 && text.length <= 1000 && !refused.test(text))
    return text;
  throw new GavelError("ref-name", `"${text.slice(0, 80)}" is no full ref name`, "Give a name like refs/heads/main.");
}
