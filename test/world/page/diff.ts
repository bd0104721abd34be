import { html } from "hono/html";
import { type ChangedFile, diffLines } from "../git/diff.ts";
import type { Html } from "./layout.ts";

/** Lines of one file that the page shows. */
const linesMax = 2000;

export function fileBox(file: ChangedFile): Html {
  const name = file.previousPath === null ? file.path : `${file.previousPath} → ${file.path}`;
  return html`<div class="box">
    <div class="head">
      <b class="mono">${name}</b> ${file.status === "modified" ? "" : file.status} · +${file.additions}
      −${file.deletions}
    </div>
    ${file.patch === null ? html`<div class="empty">No lines to show.</div>` : patchTable(file.patch)}
  </div>`;
}

function patchTable(patch: string): Html {
  const heads = patch.split("\n").filter((line) => line.startsWith("@@ "));
  const lines = diffLines(patch);
  const rows = lines.slice(0, linesMax).flatMap((line, index) => {
    const kind = line.side === "RIGHT" ? "plus" : line.side === "LEFT" ? "minus" : "";
    const row = html`<tr class="${kind}">
      <td class="n">${line.side === "RIGHT" ? "" : line.left}</td>
      <td class="n">${line.side === "LEFT" ? "" : line.right}</td>
      <td>${line.text}</td>
    </tr>`;
    if (line.hunk === lines[index - 1]?.hunk) return [row];
    return [
      html`<tr class="at">
        <td class="n"></td>
        <td class="n"></td>
        <td>${heads[line.hunk] ?? ""}</td>
      </tr>`,
      row,
    ];
  });
  return html`<div class="diff">
    <table>
      ${rows}
    </table>
    ${lines.length > linesMax ? html`<div class="empty">${lines.length - linesMax} more lines.</div>` : ""}
  </div>`;
}
