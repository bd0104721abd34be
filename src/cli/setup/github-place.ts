import { GavelError } from "../../errors.ts";

/** Where the App is made. */
export interface GitHubPlace {
  /** For people: `https://github.com`. */
  readonly webUrl: string;
  readonly apiUrl: string;
}

/** GitHub.com, or the server that GHE_HOST (and GHE_PROTOCOL) name. */
export function findGitHub(env: Readonly<Record<string, string | undefined>>): GitHubPlace {
  const host = env["GHE_HOST"] ?? "";
  if (host === "") return { webUrl: "https://github.com", apiUrl: "https://api.github.com" };
  const webUrl = `${env["GHE_PROTOCOL"] ?? "https"}://${host}`;
  if (!URL.canParse(webUrl) || new URL(webUrl).host !== host.toLowerCase()) {
    throw new GavelError(
      "ghe-host-invalid",
      `GHE_HOST is "${host}".`,
      "Set it to the server's name alone, without https://.",
    );
  }
  return { webUrl, apiUrl: `${webUrl}/api/v3` };
}

/** The page on which GitHub takes a manifest: for the person's own account, or for an organisation. */
export function newAppUrl(place: GitHubPlace, organization: string | null, state: string): string {
  const owner = organization === null ? "" : `/organizations/${encodeURIComponent(organization)}`;
  return `${place.webUrl}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`;
}
