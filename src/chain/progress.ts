import { editComment } from "../github/comment.ts";
import { marker } from "../text/markers.ts";
import { progressComment } from "../text/progress-comment.ts";
import type { ChainDeps } from "./chain-deps.ts";
import { readView } from "./read-view.ts";
import { leave } from "../text/leave.ts";

/** The progress comments of this process's chains: a projection of the record, never a part of it. */
export interface Progress {
  /** Something happened in this chain: its comment follows soon. Never rejects, never waits. */
  touch(chain: string): void;
  /** The chain writes its last edit itself: nothing of ours may come after it. */
  finish(chain: string): Promise<void>;
  stop(): Promise<void>;
}

/** Least time between two edits of one comment, in milliseconds (product.md "What people see"). */
const editEveryMilliseconds = 15_000;

/** Events of one moment make one edit. */
const gatherMilliseconds = 100;

/** Edits within an hour for one installation; then the run page alone tells. */
const editsPerHourMax = 200;

const hourMilliseconds = 3_600_000;

interface Entry {
  timer: NodeJS.Timeout | null;
  running: Promise<void>;
  editedAt: number;
  body: string;
  finished: boolean;
}

type ProgressDeps = Pick<ChainDeps, "records" | "app" | "secrets" | "log">;

export function createProgress(deps: ProgressDeps): Progress {
  const entries = new Map<string, Entry>();
  const editsByInstallation = new Map<number, number[]>();

  const entryOf = (chain: string): Entry => {
    const entry = entries.get(chain) ?? {
      timer: null,
      running: Promise.resolve(),
      editedAt: Number.NEGATIVE_INFINITY,
      body: "",
      finished: false,
    };
    entries.set(chain, entry);
    return entry;
  };

  const mayEdit = (installation: number): boolean => {
    const since = Date.now() - hourMilliseconds;
    const edits = (editsByInstallation.get(installation) ?? []).filter((at) => at > since);
    editsByInstallation.set(installation, edits);
    if (edits.length >= editsPerHourMax) return false;
    edits.push(Date.now());
    return true;
  };

  const edit = async (chain: string, entry: Entry): Promise<void> => {
    const view = await readView(deps, chain);
    const announced = view?.timeline.map(({ event }) => event).find((event) => event.kind === "announced");
    if (view === null || typeof announced?.commentId !== "number") return;
    const body = leave(deps, progressComment(view));
    if (body === entry.body || entry.finished || !mayEdit(view.trigger.repository.installationId)) return;
    entry.editedAt = Date.now();
    await editComment(
      await deps.app.repository(view.trigger.repository),
      announced.commentId,
      marker("progress", chain),
      body,
    );
    entry.body = body;
  };

  const fire = (chain: string, entry: Entry): void => {
    entry.timer = null;
    entry.running = edit(chain, entry).catch((error: unknown) => {
      deps.log.warn({ chain, err: error }, "the progress comment could not be edited");
    });
  };

  return {
    touch(chain) {
      const entry = entryOf(chain);
      if (entry.timer !== null || entry.finished) return;
      const wait = Math.max(gatherMilliseconds, entry.editedAt + editEveryMilliseconds - Date.now());
      entry.timer = setTimeout(() => fire(chain, entry), wait);
    },
    async finish(chain) {
      const entry = entryOf(chain);
      entry.finished = true;
      if (entry.timer !== null) clearTimeout(entry.timer);
      await entry.running;
      entries.delete(chain);
    },
    async stop() {
      for (const entry of entries.values()) {
        entry.finished = true;
        if (entry.timer !== null) clearTimeout(entry.timer);
      }
      await Promise.all([...entries.values()].map((entry) => entry.running));
    },
  };
}
