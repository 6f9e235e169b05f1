/** What the dashboard requests of the settings of privacy besides the REST API. */
import type { Static } from "typebox";
import { Type } from "typebox";
import { idOf, nullable, timestamp, uuid } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";
import { PrivacyPreview, RetentionChange } from "./privacy-settings.ts";
import { ContactExport, dataOf, Erasure } from "./resources.ts";

const nullableString = nullable(Type.String());

/** A contact who is on hold. */
export const Hold = Type.Object({
  contact: Type.Object({ id: uuid, name: nullableString, email: nullableString }),
  reason: Type.String(),
  /** The name of the agent or program; null: not known. */
  held_by: nullableString,
  held_at: timestamp,
  until: nullable(timestamp),
});
export type Hold = Static<typeof Hold>;

/** `what`: `retention` is a daily run. */
export const ListedErasure = Type.Object({
  ...Erasure.properties.attributes.properties,
  id: uuid,
  what: Type.Unsafe<"contact" | "conversation" | "message" | "widget" | "agent" | "retention">({ type: "string" }),
});
export type ListedErasure = Static<typeof ListedErasure>;

/** Whether visitors may ask for their data, and the page of each widget where they do. */
export const DataRequests = Type.Object({
  allowed: Type.Boolean(),
  pages: Type.Array(Type.Object({ widget: nullableString, url: Type.String() })),
});
export type DataRequests = Static<typeof DataRequests>;

export const privacyOperations = {
  getDataRequests: {
    method: "GET",
    path: "/privacy/data-requests",
    responses: { 200: { body: DataRequests } },
  },
  setDataRequests: {
    method: "PUT",
    path: "/privacy/data-requests",
    body: Type.Object({ allowed: Type.Boolean() }),
    responses: { 200: { body: DataRequests } },
  },
  /**
   * Deletes the personal data of a deactivated agent for good. Conversations that are still theirs go to `hand_over_to`, or are
   * unassigned. 422 on `agent` for one who is not deactivated, and on `hand_over_to` for one who cannot be assigned.
   */
  removeAgent: {
    method: "POST",
    path: "/agents/{id}/remove",
    params: Type.Object({ id: Type.String() }),
    body: Type.Object({ hand_over_to: Type.Optional(nullableString) }),
    responses: { 200: { body: Type.Object({ agent: Type.Object({ id: uuid, name: Type.String() }) }) } },
  },
  /** What goes with the widget when it is removed. */
  countWidgetUse: {
    method: "GET",
    path: "/widgets/{id}/use",
    params: Type.Object({ id: Type.String() }),
    responses: {
      200: { body: Type.Object({ contacts: Type.Integer(), conversations: Type.Integer(), held: Type.Integer() }) },
    },
  },
  /** As `GET /privacy/preview`, with widgets and channels. */
  previewRetention: {
    method: "POST",
    path: "/privacy/preview",
    body: Type.Object(RetentionChange.properties),
    responses: { 200: { body: dataOf(PrivacyPreview) } },
  },
  /** The newest first. */
  listExports: {
    method: "GET",
    path: "/contacts/{id}/exports",
    params: Type.Object({ id: idOf("the contact") }),
    responses: { 200: { body: Type.Object({ exports: Type.Array(ContactExport) }) } },
  },
  /** The newest first, at most 200. */
  listHolds: {
    method: "GET",
    path: "/privacy/holds",
    responses: { 200: { body: Type.Object({ holds: Type.Array(Hold) }) } },
  },
  /** The newest first, at most 20. */
  listErasures: {
    method: "GET",
    path: "/privacy/erasures",
    responses: { 200: { body: Type.Object({ erasures: Type.Array(ListedErasure) }) } },
  },
} as const satisfies Record<string, HttpOperation>;
