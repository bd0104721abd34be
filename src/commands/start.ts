import type { ConfigReading } from "../config/read-rules.ts";
import { permits } from "../domain/permission.ts";
import type { Trigger } from "../domain/trigger.ts";
import type { GitHub } from "../github/github.ts";
import { askPermission } from "../github/permission.ts";
import { react } from "../github/reaction.ts";
import type { CommandDeps } from "./command-deps.ts";

/** Starts the chain of a permitted trigger. One for an item whose chain runs is only acknowledged. */
export async function startFromTrigger(
  deps: CommandDeps,
  github: GitHub,
  trigger: Trigger,
  config: ConfigReading,
): Promise<void> {
  const approval = await readApproval(github, trigger, config);
  // The reaction does not wait for the chain, nor the chain for it: people look for it at once.
  const [started, reacted] = await Promise.allSettled([
    deps.startChain(trigger, config, approval),
    react(github, trigger.seenAt, "eyes"),
  ]);
  if (started.status === "rejected") throw started.reason;
  // A reaction that GitHub refuses (a locked conversation) is no reason to do the work twice.
  void reacted;
}

/** Whether somebody has to approve before anything of this trigger runs. */
async function readApproval(github: GitHub, trigger: Trigger, config: ConfigReading): Promise<"needed" | "not-needed"> {
  switch (config.rules.approval) {
    case "never":
      return "not-needed";
    case "always":
      return "needed";
    case "outside-contributors": {
      const { author } = trigger.brief;
      if (author === null) return "needed";
      const { permission } = await askPermission(github, author);
      return permits(permission, config.rules.trigger.permission) ? "not-needed" : "needed";
    }
  }
}
