import type { DeliveryFault } from "../hooks/hooks.ts";

/** Something that goes wrong on purpose with the next requests or deliveries that match. */
export type Fault = RequestFault | HookFault;

interface Matching {
  readonly times: number;
  readonly method?: string;
  /** Part of the route's template. */
  readonly route?: string;
}

export type RequestFault = Matching &
  (
    | {
        /** Answers at once, and does nothing. */
        readonly kind: "status";
        readonly status?: number;
        readonly message?: string;
        readonly headers?: Readonly<Record<string, string>>;
      }
    /** Does what was asked and answers 502. */
    | { readonly kind: "after-write-502" }
    | { readonly kind: "primary-limit" | "secondary-limit"; readonly retryAfterSeconds?: number }
    | { readonly kind: "slow"; readonly milliseconds: number }
  );

interface HookFault {
  readonly kind: DeliveryFault;
  readonly times: number;
  readonly event?: string;
}

export interface Faults {
  readonly add: (fault: Fault) => void;
  readonly takeForRequest: (method: string, template: string) => RequestFault | null;
  readonly takeForDelivery: (event: string) => DeliveryFault | null;
}

const isForHooks = (fault: Fault): fault is HookFault => fault.kind.endsWith("-delivery");

export function openFaults(): Faults {
  const waiting: { readonly fault: Fault; left: number }[] = [];
  const take = (matches: (fault: Fault) => boolean): Fault | null => {
    const found = waiting.find((item) => item.left > 0 && matches(item.fault));
    if (found === undefined) return null;
    found.left -= 1;
    return found.fault;
  };
  return {
    add: (fault) => void waiting.push({ fault, left: fault.times }),
    takeForRequest(method, template) {
      return take(
        (fault) =>
          !isForHooks(fault) &&
          (fault.method === undefined || fault.method === method) &&
          (fault.route === undefined || template.includes(fault.route)),
      ) as RequestFault | null;
    },
    takeForDelivery(event) {
      const fault = take((item) => isForHooks(item) && (item.event === undefined || item.event === event));
      return fault !== null && isForHooks(fault) ? fault.kind : null;
    },
  };
}
