/**
 * An OpenID Connect provider for tests that does as the test says: it signs any claims, with any key, and answers slowly,
 * at length, or elsewhere. What a good provider does is `real-idp.ts`.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { exportJWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { type Authority, newAuthority } from "./certificates.ts";

/** Where it redirects to. */
const ELSEWHERE = "/elsewhere";

export const HOSTILE_CLIENT = { client_id: "frontdesk", client_secret: "a-secret-of-32-characters-or-more" };

/** What the next token says besides `iss`, `aud`, `iat`, `exp` and `nonce`; undefined takes one of these away. */
export type Claims = Record<string, unknown>;

export interface HostileIdp {
  ca: string;
  issuer: string;
  /** What the next ID token says. */
  claims: Claims;
  /** How it is signed. @default by its key, RS256 */
  signs: "right" | "none" | "with-secret" | "with-other-key" | "wrong-algorithm-name";
  /** Changes of its document. */
  document: Record<string, unknown>;
  /** How it answers at all. */
  manner: "well" | "slowly" | "hugely" | "elsewhere" | "with-500" | "closed";
  userInfo: Claims | undefined;
  /** Where the client secret has to be. */
  clientAuth: "form" | "header";
  /** Its clock, ms since 1970. */
  now(): number;
  /** Asked paths, in their order. */
  asked: string[];
  /** What a browser brings back after a sign-in at this address, with a code that is good for one token. */
  allows(url: string): string;
  /** A token that says that a session is over. */
  logoutToken(claims: Claims, header?: Claims): Promise<string>;
  /** From now on it has another key, and another name for it. */
  rotatesKey(): Promise<void>;
  close(): Promise<void>;
}

const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

export async function startHostileIdp(authority: Authority = newAuthority()): Promise<HostileIdp> {
  const codes = new Map<string, { nonce: string; challenge: string }>();
  let key = await newKey();
  const other = await newKey();
  const server = createServer(authority.certify(["localhost", "127.0.0.1"]), (request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const idp: HostileIdp = {
    ...{ ca: authority.ca, issuer, claims: {}, signs: "right", document: {}, manner: "well", userInfo: undefined },
    clientAuth: "form",
    asked: [],
    now: Date.now,
    allows(url) {
      const asked = new URL(url).searchParams;
      const code = randomUUID();
      codes.set(code, { nonce: asked.get("nonce") ?? "", challenge: asked.get("code_challenge") ?? "" });
      return new URLSearchParams({ code, state: asked.get("state") ?? "", iss: issuer }).toString();
    },
    logoutToken: (claims, header = {}) =>
      new SignJWT({
        ...{ iss: issuer, aud: HOSTILE_CLIENT.client_id, iat: seconds(), jti: randomUUID() },
        ...{ events: { [LOGOUT_EVENT]: {} }, ...claims },
      })
        .setProtectedHeader({ alg: "RS256", kid: key.kid, typ: "logout+jwt", ...header })
        .sign(key.privateKey),
    async rotatesKey() {
      key = await newKey();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, "close");
    },
  };
  return idp;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "", issuer).pathname;
    idp.asked.push(path);
    if (idp.manner === "slowly") return;
    if (idp.manner === "closed") return void response.destroy();
    if (idp.manner === "with-500") return json(response, 500, {});
    // It would be right but for this.
    if (idp.manner === "hugely") return json(response, 200, { ...documentOf(), filling: "a".repeat(2_000_000) });
    if (idp.manner === "elsewhere" && path !== ELSEWHERE)
      return void response.writeHead(302, { location: `${issuer}${ELSEWHERE}` }).end();
    if (path === ELSEWHERE) return json(response, 200, documentOf());
    if (path === "/.well-known/openid-configuration") return json(response, 200, documentOf());
    if (path === "/keys") return json(response, 200, { keys: [await publicOf(key)] });
    if (path === "/user") return json(response, 200, idp.userInfo ?? {});
    if (path === "/token") return giveToken(new URLSearchParams(await text(request)), request, response);
    json(response, 404, {});
  }

  function seconds(): number {
    return Math.floor(idp.now() / 1_000);
  }

  function documentOf(): object {
    return {
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ jwks_uri: `${issuer}/keys`, response_types_supported: ["code"], subject_types_supported: ["public"] },
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      ...(idp.userInfo && { userinfo_endpoint: `${issuer}/user` }),
      ...idp.document,
    };
  }

  /** One way is registered for the client: no other counts. It does not unescape what is in the header. */
  function isClient(form: URLSearchParams, { headers: { authorization } }: IncomingMessage): boolean {
    if (idp.clientAuth === "form") return !authorization && form.get("client_secret") === HOSTILE_CLIENT.client_secret;
    const [id, secret] = Buffer.from(authorization?.replace("Basic ", "") ?? "", "base64")
      .toString()
      .split(":");
    const { client_id, client_secret } = HOSTILE_CLIENT;
    return !form.has("client_secret") && id === client_id && secret === client_secret;
  }

  async function giveToken(form: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = codes.get(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!isClient(form, request)) return json(response, 401, { error: "invalid_client" });
    if (!asked || asked.challenge !== challenge) return json(response, 400, { error: "invalid_grant" });
    codes.delete(form.get("code") ?? "");
    const now = seconds();
    const id = { iss: issuer, aud: HOSTILE_CLIENT.client_id, iat: now, exp: now + 300, nonce: asked.nonce };
    const id_token = await signed({ ...id, ...idp.claims });
    json(response, 200, { access_token: randomUUID(), token_type: "Bearer", id_token });
  }

  async function signed(claims: JWTPayload): Promise<string> {
    switch (idp.signs) {
      case "none":
        return new UnsecuredJWT(claims).encode();
      case "with-secret":
        return new SignJWT(claims)
          .setProtectedHeader({ alg: "HS256" })
          .sign(new TextEncoder().encode(HOSTILE_CLIENT.client_secret));
      case "with-other-key":
        return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: key.kid }).sign(other.privateKey);
      case "wrong-algorithm-name":
        return new SignJWT(claims).setProtectedHeader({ alg: "RS384", kid: key.kid }).sign(key.privateKey);
      default:
        return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: key.kid }).sign(key.privateKey);
    }
  }
}

interface Key {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

async function newKey(): Promise<Key> {
  return { kid: randomUUID(), ...generateKeyPairSync("rsa", { modulusLength: 2_048 }) };
}

const publicOf = async ({ kid, publicKey }: Key) => ({ ...(await exportJWK(publicKey)), kid, use: "sig" });

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
