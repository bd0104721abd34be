import type { Events } from "./events.ts";
import type { Repository } from "./state.ts";

/** A branch got another head: the open pull requests from it follow. */
export function movePulls(
  events: Events,
  head: Repository,
  branch: string,
  sha: string,
  sender: string,
  bases: readonly Repository[] = [head],
): void {
  for (const repository of bases) {
    for (const issue of repository.issues.values()) {
      const { pull } = issue;
      if (pull === null || issue.state === "closed" || pull.headRepository !== head || pull.headRef !== branch)
        continue;
      const before = pull.headSha;
      if (before === sha) continue;
      pull.headSha = sha;
      repository.git.run(["update-ref", `refs/pull/${issue.number}/head`, sha]);
      events.pull("synchronize", repository, issue, sender, { before, after: sha });
    }
  }
}
