import { githubAddress } from "../../config/github-address.ts";
import { GavelError } from "../../errors.ts";

/** Where the App is made. */
export interface GitHubPlace {
  /** For people: `https://github.com`. */
  readonly webUrl: string;
  readonly apiUrl: string;
}

/** GitHub.com, or the server that GHE_HOST (and GHE_PROTOCOL) name, read as the server reads them. */
export function findGitHub(env: Readonly<Record<string, string | undefined>>): GitHubPlace {
  const address = githubAddress(env["GHE_HOST"] ?? "", env["GHE_PROTOCOL"] || "https");
  if (address.kind !== "invalid") return address;
  const cure = "Set GHE_HOST to the server's name, for example github.example.org.";
  throw new GavelError("github-address-invalid", `${address.name} ${address.reason}.`, cure);
}

/** The page on which GitHub takes a manifest: for the person's own account, or for an organisation. */
export function newAppUrl(place: GitHubPlace, organization: string | null, state: string): string {
  const owner = organization === null ? "" : `/organizations/${encodeURIComponent(organization)}`;
  return `${place.webUrl}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`;
}
