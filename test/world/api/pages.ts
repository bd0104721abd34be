/** Items on a page, where nothing else is asked for, and at most. */
const pageSize = 30;
const pageSizeMax = 100;

/** Cuts a list into the page that was asked for. The Link header names the pages around it. */
export function cutPage(
  items: readonly unknown[],
  request: { readonly url: string; readonly query: Readonly<Record<string, string>> },
): { readonly page: readonly unknown[]; readonly link: string | null } {
  const size = Math.min(pageSizeMax, Math.max(1, Number(request.query["per_page"] ?? pageSize)));
  const number = Math.max(1, Number(request.query["page"] ?? 1));
  const last = Math.max(1, Math.ceil(items.length / size));
  const link = (to: number, rel: string): string =>
    `<${request.url}?${new URLSearchParams({ ...request.query, page: String(to) }).toString()}>; rel="${rel}"`;
  const links = [
    ...(number > 1 ? [link(number - 1, "prev")] : []),
    ...(number < last ? [link(number + 1, "next"), link(last, "last")] : []),
    ...(number > 1 ? [link(1, "first")] : []),
  ];
  return {
    page: items.slice((number - 1) * size, number * size),
    link: links.length === 0 ? null : links.join(", "),
  };
}
