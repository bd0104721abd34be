import { answerCommand } from "../commands/answer-command.ts";
import type { CommandDeps } from "../commands/command-deps.ts";
import { startFromTrigger } from "../commands/start.ts";
import { stopItem } from "../commands/stop.ts";
import { decideIntake, type Demand } from "../domain/intake.ts";
import { permits } from "../domain/permission.ts";
import type { RepositoryRef, SeenAt } from "../domain/trigger.ts";
import type { GitHub } from "../github/github.ts";
import { askPermission } from "../github/permission.ts";
import { react } from "../github/reaction.ts";
import type { Delivery } from "../store/record.ts";
import { readDelivery } from "./read-delivery.ts";

/**
 * Turns a stored delivery into what it asks for: a chain, a stop, an answer, or nothing. Everything that needs a look
 * at GitHub happens here, never in the door. Repeating it (the process died half-way) doubles nothing.
 */
export async function handleDelivery(deps: CommandDeps, delivery: Delivery): Promise<void> {
  const read = readDelivery(delivery);
  if (read === null) return;
  const repository: RepositoryRef = read.repository;
  const github = await deps.app.repository(repository);
  const config = await deps.readRules(github);
  const { trigger: rules } = config.rules;
  const facts = read.facts(rules.commandPrefix);
  const intake = decideIntake(facts, {
    label: rules.label,
    permission: rules.permission,
    bots: rules.bots,
    self: deps.app.botLogin,
    auto: config.rules.judge.auto,
    autoFor: config.rules.judge.autoFor,
  });
  const key = `delivery:${delivery.hookId}:${delivery.deliveryId}`;
  switch (intake.kind) {
    case "ignore":
      return;
    case "start": {
      if (!(await isPermitted(github, intake.demand, read.seenAt))) return;
      const trigger = read.trigger({ kind: intake.chain, cause: intake.cause, instructions: intake.instructions });
      await startFromTrigger(deps, github, trigger, config);
      return;
    }
    case "stop":
      if (read.item === null) return;
      if (intake.demand !== null && !(await isPermitted(github, intake.demand, read.seenAt))) return;
      await stopItem(deps, github, {
        item: read.item,
        key,
        seenAt: read.seenAt,
        stop: { kind: "stop-requested", cause: intake.cause, by: intake.demand?.person ?? null },
      });
      return;
    case "command":
    case "wrong-place":
      if (read.item === null || !(await isPermitted(github, intake.demand, read.seenAt))) return;
      await answerCommand(deps, github, {
        intake,
        item: read.item,
        key,
        deliveryId: delivery.deliveryId,
        seenAt: read.seenAt,
        label: rules.label,
      });
      return;
  }
}

/** Asks GitHub; a refused person gets one 😕, no word, no detail. */
async function isPermitted(github: GitHub, { person, needs }: Demand, seenAt: SeenAt): Promise<boolean> {
  if (needs === "none") return true;
  const { permission, type } = await askPermission(github, person.login);
  // A login can change hands between kinds of accounts: what GitHub calls it now has to be what the payload called it.
  const same = type === "unknown" || person.type === "unknown" || type === person.type;
  if (same && permits(permission, needs)) return true;
  await react(github, seenAt, "confused");
  return false;
}
