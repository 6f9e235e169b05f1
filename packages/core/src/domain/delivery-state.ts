/** The states of a webhook delivery; the server's `outbox/outbox-item.ts` draws how one follows another. */
export const deliveryStates = ["waiting", "sending", "delivered", "failed", "stopped"] as const;
export type DeliveryState = (typeof deliveryStates)[number];
