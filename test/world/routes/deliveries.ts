import { type Answer, notFound, ok } from "../api/reply.ts";
import type { Call, RouteTable } from "../api/route-table.ts";
import type { Delivery } from "../hooks/send.ts";
import type { Json } from "../show/values.ts";

const pageSize = 30;
const pageSizeMax = 100;

function showItem(call: Call, delivery: Delivery): Json {
  const payload = payloadOf(delivery);
  const repository = payload["repository"] as { id?: number } | undefined;
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.deliveredAt,
    redelivery: delivery.redelivery,
    duration: delivery.seconds,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: call.core.app.installationId,
    repository_id: repository?.id ?? null,
    throttled_at: null,
  };
}

const payloadOf = (delivery: Delivery): Json => JSON.parse(delivery.body) as Json;

/** The newest first. These pages go by cursor: the number of the last delivery on the page before. */
function listDeliveries(call: Call): Answer {
  const { core, query } = call;
  const size = Math.min(pageSizeMax, Number(query["per_page"] ?? pageSize));
  const before = query["cursor"] === undefined ? Number.POSITIVE_INFINITY : Number(query["cursor"]);
  const succeeded = (item: Delivery): boolean => item.statusCode >= 200 && item.statusCode < 300;
  const found = core.hooks.log
    .filter((item) => item.id < before)
    .filter((item) => query["status"] === undefined || succeeded(item) === (query["status"] === "success"))
    .toReversed();
  const page = found.slice(0, size);
  const next = new URLSearchParams({ ...query, cursor: String(page.at(-1)?.id ?? "") });
  const link = `<${core.url}/api/v3/app/hook/deliveries?${next.toString()}>; rel="next"`;
  return {
    kind: "json",
    status: 200,
    body: page.map((item) => showItem(call, item)),
    ...(found.length > size ? { headers: { link } } : {}),
  };
}

function findDelivery({ core, params }: Call): Delivery | undefined {
  return core.hooks.log.find((item) => item.id === Number(params["delivery_id"]));
}

export const deliveryRoutes: RouteTable = {
  "GET /app/hook/deliveries": { needs: "app", run: listDeliveries },
  "GET /app/hook/deliveries/{delivery_id}": {
    needs: "app",
    run: (call) => {
      const found = findDelivery(call);
      if (found === undefined) return notFound;
      return ok({
        ...showItem(call, found),
        url: call.core.hooks.target() ?? "",
        request: { headers: found.requestHeaders, payload: payloadOf(found) },
        response: { headers: found.responseHeaders, payload: found.answer },
      });
    },
  },
  "POST /app/hook/deliveries/{delivery_id}/attempts": {
    needs: "app",
    run: (call) => {
      const found = findDelivery(call);
      if (found === undefined) return notFound;
      call.core.hooks.redeliver(found.id);
      return { kind: "json", status: 202, body: {} };
    },
  },
};
