import { rest } from "@frontdesk/core/contract";
import { eraseContact } from "../../privacy/erase-contact.ts";
import { eraseConversation } from "../../privacy/erase-conversation.ts";
import { exportContact } from "../../privacy/export-contact.ts";
import { getErasure } from "../../privacy/get-erasure.ts";
import { getExport } from "../../privacy/get-export.ts";
import { getRetention } from "../../privacy/get-retention.ts";
import { holdContact, releaseContact } from "../../privacy/hold-contact.ts";
import { presentErasure } from "../../privacy/present-erasure.ts";
import { presentExport } from "../../privacy/present-export.ts";
import { presentPreview, presentRetention } from "../../privacy/present-retention.ts";
import { previewRetention } from "../../privacy/preview-retention.ts";
import { redactMessage } from "../../privacy/redact-message.ts";
import { exportsUrlOf } from "../../privacy/shown-export.ts";
import { updateRetention } from "../../privacy/update-retention.ts";
import { endpoint } from "./rest-endpoint.ts";

export const privacyRoutes = [
  endpoint(
    rest.eraseContact,
    eraseContact,
    ({ params, body }) => ({ contactId: params.id, reason: body.reason ?? undefined }),
    (erasure) => ({ message: "Erasing the contact.", data: presentErasure(erasure) }),
  ),
  endpoint(
    rest.eraseConversation,
    eraseConversation,
    ({ params, body }) => ({ conversationId: params.conversation_id, reason: body.reason ?? undefined }),
    (erasure) => ({ message: "Erasing the conversation.", data: presentErasure(erasure) }),
  ),
  endpoint(
    rest.getErasure,
    getErasure,
    ({ params }) => ({ erasureId: params.id }),
    (erasure) => ({ data: presentErasure(erasure) }),
  ),
  endpoint(
    rest.redactMessage,
    redactMessage,
    ({ params, body }) => ({ messageId: params.id, reason: body.reason ?? undefined }),
    () => ({ message: "Message redacted." }),
  ),
  endpoint(
    rest.holdContact,
    holdContact,
    ({ params, body }) => ({
      contactId: params.id,
      reason: body.reason,
      until: body.until == null ? undefined : Date.parse(body.until),
    }),
    () => ({ message: "Contact on hold." }),
  ),
  endpoint(
    rest.releaseContact,
    releaseContact,
    ({ params }) => ({ contactId: params.id }),
    () => ({ message: "Hold released." }),
  ),
  endpoint(
    rest.getPrivacy,
    getRetention,
    () => ({}),
    (retention) => ({ data: presentRetention(retention) }),
  ),
  endpoint(
    rest.updatePrivacy,
    updateRetention,
    ({ body }) => body,
    (retention) => ({ message: "Privacy settings updated.", data: presentRetention(retention) }),
  ),
  endpoint(
    rest.previewPrivacy,
    previewRetention,
    ({ query }) => query,
    (preview) => ({ data: presentPreview(preview) }),
  ),
  endpoint(
    rest.exportContact,
    exportContact,
    ({ params, body }, { publicUrl }) => ({
      contactId: params.id,
      includeNotes: body.include_notes ?? false,
      exportsUrl: exportsUrlOf(publicUrl),
    }),
    (shown) => ({ message: "Exporting the contact.", data: presentExport(shown) }),
  ),
  endpoint(
    rest.getExport,
    getExport,
    ({ params }, { publicUrl }) => ({ exportId: params.id, exportsUrl: exportsUrlOf(publicUrl) }),
    (shown) => ({ data: presentExport(shown) }),
  ),
];
