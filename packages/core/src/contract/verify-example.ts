/** Checks a delivery in Node, as the reference and the dashboard show it. Tests run it against real signatures. */
export const VERIFY_EXAMPLE = `import { createHmac, timingSafeEqual } from "node:crypto";

/** rawBody: the bytes as they came, not parsed. */
export function isFromFrontdesk(headers, rawBody, signingSecret) {
  const timestamp = headers["x-service-timestamp"];
  const ageInSeconds = Date.now() / 1000 - Number(timestamp);
  if (!(Math.abs(ageInSeconds) <= 300)) return false;
  const hmac = createHmac("sha256", signingSecret);
  hmac.update(timestamp + ".").update(rawBody);
  const wanted = Buffer.from("sha256=" + hmac.digest("hex"));
  // The second is there while a signing secret is being replaced.
  return [headers["x-service-signature"], headers["x-service-signature-next"]].some((header) => {
    const given = Buffer.from(String(header));
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}`;
