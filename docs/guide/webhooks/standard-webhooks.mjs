import { Webhook } from "standardwebhooks";

const frontdesk = new Webhook(String(process.env.FRONTDESK_WEBHOOK_SECRET));

/** rawBody: a string or a Buffer, as it came. headers: those of Node, or a plain record. */
export function verify(rawBody, headers) {
  return frontdesk.verify(rawBody, headers);
}
