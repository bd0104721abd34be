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

const alerts: Readonly<Record<string, string>> = { WARNING: "⚠️ Warning", NOTE: "ℹ️ Note" };

/** Markdown as GitHub shows it, near enough to be looked at; nothing in it runs. */
export function renderMarkdown(text: string): string {
  return String(processor.processSync(text)).replaceAll(
    /\[!(WARNING|NOTE)\]/g,
    (_, kind: string) => `<strong>${alerts[kind] ?? kind}</strong><br>`,
  );
}
