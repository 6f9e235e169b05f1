import { type EventDescriptor, eventDescriptors } from "@frontdesk/core/contract";
import type { Operation } from "../context.ts";

/** The events a subscription can name. Specification: GET /webhooks/events. */
export const listWebhookEvents: Operation<Record<never, never>, readonly EventDescriptor[]> = {
  name: "list-webhook-events",
  mode: "read",
  run: async () => eventDescriptors,
};
