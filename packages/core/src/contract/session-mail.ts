/** What the dashboard requests of a message that is a mail, besides the REST API. */
import type { Static } from "typebox";
import { Type } from "typebox";
import { WEB_URL_PATTERN } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";

const ofMessage = Type.Object({ id: Type.String() });
/** Of an image: those of newsletters name their reader at length. */
const IMAGE_URL_MAX = 4_096;

/** The HTML of a mail as it came: hostile until the dashboard has made it harmless. */
export const MailHtml = Type.Object({
  html: Type.String(),
  /** Whether it is only the beginning of it. */
  is_cut: Type.Boolean(),
  /** The images that it refers to by `cid:` and their ids, as `data:` addresses. They are no attachments of the message. */
  images: Type.Array(Type.Object({ content_id: Type.String(), url: Type.String() })),
});
export type MailHtml = Static<typeof MailHtml>;

export const mailOperations = {
  /** What a mail quotes, or passes on: it is no part of the message's text. 404 for one without. */
  getQuotedText: {
    method: "GET",
    path: "/messages/{id}/quoted",
    params: ofMessage,
    responses: { 200: { body: Type.Object({ text: Type.String() }) } },
  },
  /** 404 for a message without HTML, or whose HTML cannot be read. */
  getMailHtml: {
    method: "GET",
    path: "/messages/{id}/html",
    params: ofMessage,
    responses: { 200: { body: MailHtml } },
  },
  /** An image of elsewhere in the HTML of a mail, fetched by the service. 404 for what is no image, or can't be fetched. */
  getRemoteImage: {
    method: "GET",
    path: "/messages/{id}/remote-image",
    params: ofMessage,
    query: Type.Object({ url: Type.String({ maxLength: IMAGE_URL_MAX, pattern: WEB_URL_PATTERN }) }),
    responses: { 200: { body: Type.String(), mediaType: "image/*" } },
  },
} as const satisfies Record<string, HttpOperation>;
