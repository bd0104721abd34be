/** What a route answers, before headers, pages and checks. */
export type Answer =
  | {
      readonly kind: "json";
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A list, cut into pages; `wrap` where GitHub does not answer a bare array. */
  | {
      readonly kind: "list";
      readonly items: readonly unknown[];
      readonly wrap?: (page: readonly unknown[], total: number) => unknown;
    }
  | { readonly kind: "text"; readonly type: string; readonly text: string }
  | { readonly kind: "redirect"; readonly location: string }
  | { readonly kind: "empty"; readonly status: number };

export const ok = (body: unknown): Answer => ({ kind: "json", status: 200, body });
export const created = (body: unknown): Answer => ({ kind: "json", status: 201, body });
export const noContent: Answer = { kind: "empty", status: 204 };

export function list(items: readonly unknown[], wrap?: (page: readonly unknown[], total: number) => unknown): Answer {
  return wrap === undefined ? { kind: "list", items } : { kind: "list", items, wrap };
}

const documentation = "https://docs.github.com/rest";

export function refuse(status: number, message: string): Answer {
  const body = { message, documentation_url: documentation, status: String(status) };
  return { kind: "json", status, body };
}

export const notFound = refuse(404, "Not Found");
export const notAccessible = refuse(403, "Resource not accessible by integration");

/** 422 with the reasons as objects, as most routes give them. */
export function invalid(resource: string, message: string, about: { field?: string; code?: string } = {}): Answer {
  const error = { resource, code: about.code ?? "custom", message, ...(about.field === undefined ? {} : about) };
  const body = {
    message: "Validation Failed",
    errors: [error],
    documentation_url: documentation,
    status: "422",
  };
  return { kind: "json", status: 422, body };
}

/** 422 with the reasons as plain lines, as some routes give them. */
export function unprocessable(...errors: readonly string[]): Answer {
  const body = { message: "Unprocessable Entity", errors, documentation_url: documentation, status: "422" };
  return { kind: "json", status: 422, body };
}
