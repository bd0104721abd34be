import { Octokit } from "@octokit/rest";
import { GavelError } from "../../errors.ts";

export interface AppCredentials {
  readonly appId: number;
  readonly slug: string;
  /** The App's page, where it is installed. */
  readonly pageUrl: string;
  readonly privateKey: string;
  readonly webhookSecret: string;
}

const secondsMax = 30;

/** Trades the code that GitHub gave for the App's credentials; GitHub does that once. Throws a GavelError. */
export async function convertCode(apiUrl: string, code: string): Promise<AppCredentials> {
  const quiet = (): void => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const octokit = new Octokit({ baseUrl: apiUrl, userAgent: "gavel", log });
  try {
    const { data } = await octokit.rest.apps.createFromManifest({
      code,
      request: { signal: AbortSignal.timeout(secondsMax * 1000) },
    });
    if (data.webhook_secret === null) throw new Error("it has no webhook secret");
    return {
      appId: data.id,
      slug: data.slug ?? data.name,
      pageUrl: data.html_url,
      privateKey: data.pem,
      webhookSecret: data.webhook_secret,
    };
  } catch (error) {
    throw new GavelError(
      "manifest-not-converted",
      `GitHub did not hand out the App's credentials: ${error instanceof Error ? error.message : String(error)}.`,
      "Remove the App in GitHub's settings if it was made, and start again.",
      { cause: error },
    );
  }
}
