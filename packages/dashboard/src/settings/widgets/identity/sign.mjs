import { createHmac } from "node:crypto";

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

export function signIdentity(claims, secret) {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const signed = `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded({ ...claims, exp })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
