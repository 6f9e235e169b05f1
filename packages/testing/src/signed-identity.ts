/** Identities as an owner's server signs them: JWTs made by hand, so that our own library does not verify itself. */
import { createHmac } from "node:crypto";
import type { TestAnswer, TestTeam } from "./test-kit.ts";

/** A JWT of any header and payload, signed with HMAC. */
export function signedToken(
  secret: string,
  payload: object | string,
  header: object = { alg: "HS256", typ: "JWT" },
  hash = "sha256",
): string {
  const part = (value: object | string) =>
    Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(payload)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest("base64url")}`;
}

/** Creates an identity secret for the team's widget, as its owner does. */
export async function newIdentitySecret(
  team: Pick<TestTeam, "post" | "widgetId">,
  widgetId = team.widgetId,
): Promise<string> {
  const { status, body }: TestAnswer = await team.post(`/widgets/${widgetId}/identity-secret`);
  if (status !== 200) throw new Error(`No identity secret: ${status}`);
  return body.data.attributes.identity_secret;
}
