import type { Core } from "../core.ts";
import { tellItem } from "../hooks/events.ts";
import { showLabel } from "../show/issue.ts";
import { type Repository, sameName } from "../state.ts";
import type { Issue, Label } from "../state-issues.ts";
import { noteEvent } from "./issues.ts";

/** The repository's label of a name, made where there is none. */
export function findOrMakeLabel(
  core: Core,
  repository: Repository,
  name: string,
  about: { readonly color?: string; readonly description?: string | null } = {},
): Label {
  const known = repository.labels.get(name.toLowerCase());
  if (known !== undefined) return known;
  const label: Label = {
    id: core.state.nextId(),
    name,
    color: about.color ?? "ededed",
    description: about.description ?? null,
  };
  repository.labels.set(name.toLowerCase(), label);
  return label;
}

/** Puts a label on; one that is there already changes nothing and is not told. */
export function addLabel(core: Core, repository: Repository, issue: Issue, login: string, name: string): void {
  const label = findOrMakeLabel(core, repository, name);
  if (issue.labels.includes(label.name)) return;
  issue.labels.push(label.name);
  tellLabel(core, repository, issue, login, "labeled", label);
}

/** Takes a label off; false where it was not on. */
export function removeLabel(core: Core, repository: Repository, issue: Issue, login: string, name: string): boolean {
  const index = issue.labels.findIndex((item) => sameName(item, name));
  const label = repository.labels.get(name.toLowerCase());
  if (index === -1 || label === undefined) return false;
  issue.labels.splice(index, 1);
  tellLabel(core, repository, issue, login, "unlabeled", label);
  return true;
}

function tellLabel(
  core: Core,
  repository: Repository,
  issue: Issue,
  login: string,
  action: "labeled" | "unlabeled",
  label: Label,
): void {
  noteEvent(core, issue, login, action, { label: { name: label.name, color: label.color } });
  tellItem(core, repository, issue, action, login, { label: showLabel(core, repository, label) });
}
