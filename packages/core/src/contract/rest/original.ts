/** The REST operation that gives a mail as it was sent. */
import { Type } from "typebox";
import { answer, ids } from "../examples.ts";
import { idOf } from "../fields.ts";
import type { RestOperation } from "../operation.ts";

export const getMessageOriginal = {
  id: "getMessageOriginal",
  performs: "open-original",
  method: "GET",
  path: "/messages/{id}/original",
  tag: "Messages",
  summary: "Download the original of an email",
  description:
    "The raw email behind a message, byte for byte, as `message/rfc822`: the one that came in, or the one that was sent. The response is 404 for a message that isn't an email, for one that hasn't been handed to a mail server yet, and once its content was erased.",
  params: Type.Object({ id: idOf("the message") }),
  responses: {
    200: { description: "The raw email.", mediaType: "message/rfc822", body: Type.String() },
  },
  errors: [404],
  example: {
    params: { id: ids.reply },
    response: [
      "From: Ada <support@acme.example>",
      "To: Vera <vera@example.com>",
      "Subject: Re: Shipping",
      "Message-ID: <01980c61@acme.example>",
      "Content-Type: text/plain; charset=utf-8",
      "",
      answer,
      "",
    ].join("\r\n"),
  },
} as const satisfies RestOperation;
