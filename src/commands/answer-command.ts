import type { Intake } from "../domain/intake.ts";
import type { Item, SeenAt } from "../domain/trigger.ts";
import { findOrPostComment } from "../github/comment.ts";
import type { GitHub } from "../github/github.ts";
import { react } from "../github/reaction.ts";
import { helpComment, statusComment } from "../text/command-comments.ts";
import { leave } from "../text/leave.ts";
import { marker, type MarkerKind } from "../text/markers.ts";
import type { CommandDeps } from "./command-deps.ts";

export interface AskedCommand {
  readonly intake: Extract<Intake, { kind: "command" | "wrong-place" }>;
  readonly item: Item;
  /** Stands for this very delivery. */
  readonly key: string;
  readonly deliveryId: string;
  readonly seenAt: SeenAt;
  /** The trigger label, for the help. */
  readonly label: string;
}

/** Answers a command that starts and stops nothing: one comment, or a reaction. */
export async function answerCommand(deps: CommandDeps, github: GitHub, asked: AskedCommand): Promise<void> {
  const { intake, item } = asked;
  const say = async (kind: MarkerKind, body: string): Promise<void> => {
    await findOrPostComment(github, {
      issue: item.number,
      marker: marker(kind, "answer", asked.deliveryId),
      body: leave(deps, body),
    });
  };
  if (intake.kind === "wrong-place") {
    await say("help", intake.says);
    return;
  }
  switch (intake.name) {
    case "help":
      await say("help", helpComment(asked.label));
      return;
    case "status": {
      const chain =
        (await deps.records.runningChain(github.repository.id, item.number)) ??
        (await deps.records.lastChain(github.repository.id, item.number));
      await say("status", statusComment(chain === null ? null : await deps.viewChain(chain)));
      return;
    }
    case "approve": {
      const chain = await deps.records.runningChain(github.repository.id, item.number);
      if (chain === null) {
        await react(github, asked.seenAt, "confused");
        return;
      }
      await deps.records.appendEvent(chain, asked.key, { kind: "approved", by: intake.demand.person });
      await deps.wakeChain(chain);
      await react(github, asked.seenAt, "+1");
      return;
    }
    case "revise":
      await say(
        "help",
        "`/revise` is not available yet. On the issue, `/implement <what to change>` starts a new chain.",
      );
      return;
  }
}
