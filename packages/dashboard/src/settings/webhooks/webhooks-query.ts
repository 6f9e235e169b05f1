/** The queries of webhooks. All keys of one webhook begin alike, so that one call invalidates them. */
import { eachItem } from "@frontdesk/client";
import type { Webhook } from "@frontdesk/core/contract/resources";
import type { DeliveryState } from "@frontdesk/core/domain/delivery-state";
import { queryOptions } from "@tanstack/react-query";
import { askSession } from "../../service/ask-session.ts";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";

export type OneWebhook = { id: string } & Webhook["attributes"][number];

/** Without the array that the contract wraps attributes in. */
export function flat({ id, attributes: [attributes] }: Webhook): OneWebhook {
  return { id, ...(attributes as Webhook["attributes"][number]) };
}

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  async queryFn() {
    const found: OneWebhook[] = [];
    for await (const webhook of eachItem(rest.listWebhooks, { query: { limit: 100 } })) found.push(flat(webhook));
    return found;
  },
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ["webhooks", id],
    queryFn: () => rest.getWebhook({ params: { webhook: id } }).then(({ data }) => flat(data)),
  });

/** When the new signing secret takes over; null when none is scheduled. */
export const rotationQuery = (id: string) =>
  queryOptions({
    queryKey: ["webhooks", id, "rotation"],
    queryFn: () =>
      askSession("getSecretRotation", { params: { id } }).then(({ takes_over_at: at }) =>
        at !== null && Date.parse(at) > Date.now() ? at : null,
      ),
  });

/** The delivery of the newest event. */
export const latestDeliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ["webhooks", id, "latest"],
    queryFn: () =>
      rest
        .listWebhookDeliveries({ params: { webhook: id }, query: { limit: 1 } })
        .then(({ data: [latest] }) => latest ?? null),
  });

export function isOnItsWay({ attributes: { state } }: { attributes: { state: DeliveryState } }): boolean {
  return state === "waiting" || state === "sending";
}

export const webhooksChanged = () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
