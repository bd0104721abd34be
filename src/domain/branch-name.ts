/** The longest branch name, a suffix included, in characters. */
export const branchNameCharactersMax = 100;

/** Room that is kept for a suffix. */
const suffixCharacters = 4;

/**
 * The branch a chain would like to push to: the template with `{number}` and `{slug}` filled in, always a name that
 * git and GitHub take. An empty slug leaves the number alone; a template that leaves nothing usable gives way to ours.
 */
export function branchName(template: string, item: { readonly number: number; readonly slug: string }): string {
  const unitsMax = branchNameCharactersMax - suffixCharacters;
  const slug = clean(item.slug.replaceAll(/[^A-Za-z0-9]+/g, "-"));
  const fill = (slug: string, by = template): string =>
    clean(by.replaceAll("{number}", String(item.number)).replaceAll("{slug}", slug));
  const whole = fill(slug);
  const over = whole.length - unitsMax;
  const fitted = over <= 0 ? whole : fill(cutAtHyphen(slug, Math.max(0, slug.length - over)));
  if (isUsable(fitted) && fitted.length <= unitsMax) return fitted;
  return fill(cutAtHyphen(slug, 60), "gavel/{number}-{slug}");
}

/** The first of `name-2`, `name-3` … that is not taken. Ends: there are fewer taken names than suffixes. */
export function nextBranchName(name: string, taken: readonly string[]): string {
  let suffix = 2;
  while (taken.includes(withSuffix(name, suffix))) suffix += 1;
  return withSuffix(name, suffix);
}

function withSuffix(name: string, suffix: number): string {
  const tail = `-${suffix}`;
  return trimEnds(name.slice(0, branchNameCharactersMax - tail.length)) + tail;
}

/** Only characters that need no quoting anywhere; each part between slashes is a word of its own. */
function clean(name: string): string {
  const parts = name
    .replaceAll(/[^A-Za-z0-9._/+=]+/g, "-")
    .split("/")
    .map(cleanPart);
  return parts.filter((part) => part !== "").join("/");
}

function cleanPart(part: string): string {
  const tidy = trimEnds(part.replaceAll(/\.{2,}/g, ".").replaceAll(/-{2,}/g, "-"));
  // git keeps names that end so for itself. What is before it may end so too.
  return /\.lock$/i.test(tidy) ? cleanPart(tidy.slice(0, -".lock".length)) : tidy;
}

function trimEnds(text: string): string {
  return text.replace(/^[-./]+/, "").replace(/[-./]+$/, "");
}

/** GitHub refuses what looks like a commit id; `HEAD` and `refs/…` mean something else to git. */
function isUsable(name: string): boolean {
  return name !== "" && !/^(?:head|refs(?:\/.*)?|[0-9a-f]{40})$/i.test(name);
}

function cutAtHyphen(slug: string, charactersMax: number): string {
  if (slug.length <= charactersMax) return slug;
  const cut = slug.slice(0, charactersMax);
  const word = slug[charactersMax] === "-" ? charactersMax : cut.lastIndexOf("-");
  return word >= charactersMax / 2 ? cut.slice(0, word) : cut;
}
