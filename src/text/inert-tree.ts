import type { Blockquote, InlineCode, Node, Paragraph, Parent, PhrasingContent, Root, RootContent, Text } from "mdast";
import { toString } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { removeInvisible } from "./invisible.ts";

/** The longest address that is still shown, in characters. */
const addressCharactersMax = 500;

/** Fences that GitHub turns into something else than code: a change to apply, a drawing, a map. */
const activeFence = /^(?:suggestion|mermaid|geojson|topojson|stl|math)/i;

/**
 * Words that GitHub or a bot acts upon: addresses, mentions (with what stands around the `@`, so that mail addresses
 * and `owner/name@commit` are one word), issue references, a slash at the start of a line. Each part is bounded.
 */
export const live = new RegExp(
  [
    String.raw`(?:https?|ftp|mailto|xmpp):[^\s<>]{1,${addressCharactersMax}}`,
    String.raw`\bwww\.[^\s<>]{1,${addressCharactersMax}}`,
    String.raw`[\w.+/-]{0,64}@[\w/][\w./@+-]{0,200}`,
    String.raw`[\w./-]{0,140}#\d{1,40}`,
    String.raw`\bGH-\d{1,40}`,
    String.raw`(?<=(?:^|\n)[^\S\n]{0,200})\/\S{0,200}`,
  ].join("|"),
  "gi",
);

const trailing = /[.,;:!?)\]'"]+$/;

type Addresses = ReadonlyMap<string, string>;

/** The same document with everything that acts on GitHub turned into text or code. */
export function inertTree(tree: Root): Root {
  const addresses = readDefinitions(tree);
  return { type: "root", children: tree.children.flatMap((node) => block(node, addresses)) };
}

function readDefinitions(tree: Root): Addresses {
  const addresses = new Map<string, string>();
  visit(tree, "definition", (node) => {
    if (!addresses.has(node.identifier)) addresses.set(node.identifier, node.url);
  });
  return addresses;
}

function block(node: RootContent, addresses: Addresses): RootContent[] {
  switch (node.type) {
    case "definition":
      return [];
    case "html":
      return [paragraph(inlines([{ type: "text", value: node.value }], addresses))];
    case "heading":
      return [paragraph([{ type: "strong", children: inlines(node.children, addresses) }])];
    case "paragraph":
      return [paragraph(inlines(node.children, addresses))];
    case "code": {
      const language = /^[\w+#-]{1,20}$/.test(node.lang ?? "") ? (node.lang ?? "") : "";
      const lang = activeFence.test(language) ? "text" : language;
      return [{ type: "code", lang: lang === "" ? null : lang, meta: null, value: node.value }];
    }
    case "footnoteDefinition": {
      const quote: Blockquote = { type: "blockquote", children: [] };
      quote.children = node.children.flatMap((child) => block(child, addresses)) as Blockquote["children"];
      return [quote];
    }
    case "listItem": {
      const children = node.children.flatMap((child) => block(child, addresses)) as typeof node.children;
      const first = children[0];
      // A ticked box would be counted as a task done.
      if (typeof node.checked === "boolean" && first?.type === "paragraph") {
        first.children.unshift({ type: "text", value: node.checked ? "☑ " : "☐ " });
      }
      return [{ ...node, checked: null, children }];
    }
    case "blockquote":
    case "list":
      return [
        withChildren(
          node,
          node.children.flatMap((child) => block(child, addresses)),
        ),
      ];
    case "table":
      return [
        withChildren(
          node,
          node.children.map((row) =>
            withChildren(
              row,
              row.children.map((cell) => withChildren(cell, inlines(cell.children, addresses))),
            ),
          ),
        ),
      ];
    case "thematicBreak":
      return [node];
    // Never at the place of a block by the types of mdast, but cheaper to show than to argue about.
    case "yaml":
    case "tableRow":
    case "tableCell":
    case "text":
    case "inlineCode":
    case "break":
    case "emphasis":
    case "strong":
    case "delete":
    case "link":
    case "linkReference":
    case "image":
    case "imageReference":
    case "footnoteReference":
      return [paragraph([inlineCode(toString(node))])];
  }
}

function withChildren<T extends Parent>(node: T, children: Node[]): T {
  return { ...node, children };
}

function paragraph(children: PhrasingContent[]): Paragraph {
  return { type: "paragraph", children };
}

function inlineCode(value: string): InlineCode {
  return { type: "inlineCode", value: value.replaceAll(/\s+/g, " ").trim() || "·" };
}

/** Flattens first and looks for live words after: `@[name](x)` is a mention only once the link is gone. */
function inlines(nodes: readonly PhrasingContent[], addresses: Addresses): PhrasingContent[] {
  const flat: PhrasingContent[] = [];
  for (const node of nodes.flatMap((child) => flatten(child, addresses))) {
    const last = flat.at(-1);
    if (node.type === "text" && last?.type === "text") last.value += node.value;
    else flat.push(node);
  }
  return flat.flatMap((node) => (node.type === "text" ? quoteLive(node) : [node]));
}

function flatten(node: PhrasingContent, addresses: Addresses): PhrasingContent[] {
  switch (node.type) {
    case "text":
    case "html":
      return [{ type: "text", value: removeInvisible(node.value).text }];
    case "inlineCode":
      return [inlineCode(node.value)];
    case "break":
      return [node];
    case "emphasis":
    case "strong":
    case "delete":
      return [{ ...node, children: inlines(node.children, addresses) }];
    case "link":
      return addressed(node.children, toString(node), node.url, addresses);
    case "linkReference":
      return addressed(node.children, toString(node), addresses.get(node.identifier) ?? "", addresses);
    case "image":
      return addressed([], node.alt ?? "", node.url, addresses);
    case "imageReference":
      return addressed([], node.alt ?? "", addresses.get(node.identifier) ?? "", addresses);
    case "footnoteReference":
      return [{ type: "text", value: `(${node.label ?? node.identifier})` }];
  }
}

function addressed(
  children: readonly PhrasingContent[],
  words: string,
  url: string,
  addresses: Addresses,
): PhrasingContent[] {
  const address = removeInvisible(url).text.slice(0, addressCharactersMax);
  const shown: PhrasingContent[] =
    children.length > 0
      ? children.flatMap((child) => flatten(child, addresses))
      : [{ type: "text", value: removeInvisible(words).text }];
  if (!/^https?:\/\//i.test(address) || address === words || address === `http://${words}`) return shown;
  return [
    ...shown,
    { type: "text", value: words === "" ? "" : " (" },
    inlineCode(address),
    { type: "text", value: words === "" ? "" : ")" },
  ];
}

function quoteLive(node: Text): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let end = 0;
  for (const match of node.value.matchAll(live)) {
    const word = match[0].replace(trailing, "") || match[0];
    if (match.index > end) parts.push({ type: "text", value: node.value.slice(end, match.index) });
    parts.push(inlineCode(word));
    end = match.index + word.length;
  }
  if (end < node.value.length) parts.push({ type: "text", value: node.value.slice(end) });
  return parts;
}
