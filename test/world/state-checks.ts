/** A check run of the App on one commit. */
export interface CheckRun {
  readonly id: number;
  readonly suiteId: number;
  name: string;
  readonly headSha: string;
  externalId: string | null;
  status: string;
  conclusion: string | null;
  detailsUrl: string | null;
  startedAt: string;
  completedAt: string | null;
  output: { readonly title: string | null; readonly summary: string | null; readonly text: string | null };
  readonly annotations: Readonly<Record<string, unknown>>[];
  actions: readonly unknown[];
}

export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  readonly state: string;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly createdAt: string;
}
