/** One well-known kind of token. */
export interface SecretShape {
  readonly name: string;
  /**
   * Global. Linear by construction: a fixed beginning and one run without a limit at its end, or bounded runs only,
   * so that a try that fails has cost no more than the least length.
   */
  readonly pattern: RegExp;
  /** A second look at what matched, where the shape alone also fits ordinary words. */
  readonly isLikely?: (found: string) => boolean;
  /** The first group is the name in front of the secret and stays. */
  readonly keepsFirstGroup?: boolean;
}

export const secretShapes: readonly SecretShape[] = [
  { name: "github-token", pattern: /gh[pousr]_[A-Za-z0-9_.-]{30,}/g },
  { name: "github-fine-grained", pattern: /github_pat_[A-Za-z0-9_]{40,}/g },
  { name: "anthropic", pattern: /sk-ant-[A-Za-z0-9_-]{16,}/g },
  { name: "openai-like", pattern: /\bsk-[A-Za-z0-9_-]{20,}/g, isLikely: hasDigitAndCapital },
  { name: "google-api", pattern: /AIza[A-Za-z0-9_-]{35}/g },
  { name: "google-oauth", pattern: /\bya29\.[A-Za-z0-9_-]{20,}/g },
  { name: "aws-access-key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { name: "slack", pattern: /\bxox[a-z]-[A-Za-z0-9-]{10,}/g },
  { name: "slack-app", pattern: /\bxapp-[A-Za-z0-9-]{20,}/g },
  { name: "npm", pattern: /npm_[A-Za-z0-9]{36,}/g },
  { name: "gitlab", pattern: /glpat-[A-Za-z0-9_-]{20,}/g },
  { name: "stripe", pattern: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,}/g },
  { name: "hugging-face", pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { name: "pypi", pattern: /pypi-AgE[A-Za-z0-9_-]{40,}/g },
  { name: "sendgrid", pattern: /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,}/g },
  // The look behind keeps one long run from being tried at each of its hyphens.
  { name: "jwt", pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g },
  {
    name: "authorization-header",
    pattern:
      /((?:authorization|x-api-key|private-token)["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:basic|bearer|token)\s{1,4})?)[\w.~+/=-]{16,}/gi,
    keepsFirstGroup: true,
  },
  { name: "password-in-url", pattern: /(:\/\/[^\s/:@]{0,100}:)[^\s/@]{3,300}(?=@)/g, keepsFirstGroup: true },
];

function hasDigitAndCapital(found: string): boolean {
  return /\d/.test(found) && /[A-Z]/.test(found);
}
