import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize)
  .use(rehypeStringify);

const alerts: Readonly<Record<string, string>> = {
  NOTE: "ℹ️ Note",
  TIP: "💡 Tip",
  IMPORTANT: "❗ Important",
  WARNING: "⚠️ Warning",
  CAUTION: "🛑 Caution",
};

/** Markdown as GitHub shows it, near enough to be looked at: nothing in it runs, comments are invisible. */
export function renderMarkdown(text: string): string {
  return String(processor.processSync(text)).replaceAll(/<blockquote>\s*<p>\[!([A-Z]+)\]/g, (found, kind: string) =>
    alerts[kind] === undefined ? found : `<blockquote class="alert"><strong>${alerts[kind]}</strong><p>`,
  );
}
