import picomatch from "picomatch";

/** More wildcards than this, and matching one long name takes seconds: the time grows with their power. */
const starsInSegmentMax = 3;
const globstarsMax = 3;

/** Why a glob can't be used, as a sentence's end, or null. */
export function globProblem(glob: string): string | null {
  if (glob.trim() !== glob) return "begins or ends with white space";
  if (/^\.{0,2}\//.test(glob))
    return "must not begin with a slash or dots: globs are relative to the repository's root";
  if (glob.split("/").includes("..")) return "must not leave the repository";
  if (glob.includes("\\")) return "must use forward slashes";
  if (/[*+?@!]\(/.test(glob)) return "uses an extended pattern such as +(…), which is not supported";
  const segments = glob.split("/");
  if (segments.filter((segment) => segment.includes("**")).length > globstarsMax)
    return `has more than ${globstarsMax} parts with **`;
  if (segments.some((segment) => segment.replaceAll(/[^*]/g, "").length > starsInSegmentMax))
    return `has more than ${starsInSegmentMax} * in one part`;
  try {
    picomatch(glob, { strictBrackets: true });
    return null;
  } catch {
    return "is not a valid glob: a bracket, brace or parenthesis is not closed";
  }
}
