/**
 * A provider of mailboxes' sign-ins for tests: real HTTPS on loopback, with codes, PKCE, and tokens to renew with that are good
 * once. Dovecot asks it over HTTP whether a token is good.
 */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { text } from "node:stream/consumers";
import { newAuthority } from "./certificates.ts";

export interface OAuthProviderForTests {
  /** PEM of the authority that signed its certificate. */
  ca: string;
  /** `settings.oauth` of an account. */
  settings: { provider: "custom"; client_id: string; client_secret: string } & Record<
    "authorize_url" | "token_url" | "scope",
    string
  >;
  /** Where Dovecot asks about tokens; plain HTTP. */
  introspectionUrl: string;
  /** Whose token it is; undefined when it is not good, or not any more. */
  userOf(token: string): string | undefined;
  /** Follows the address of a sign-in as a browser does whose person allows it. Resolves to the query that comes back. */
  allows(url: string, user: string): Promise<string>;
  /** How often a token was asked for to renew one. */
  renewals(): number;
  /** Takes back the tokens that mail servers take; they can be renewed. */
  revokesAccess(): void;
  /** Takes back everything that was ever granted. */
  revokesAll(): void;
  /** Answers at the token endpoint; undefined: as it should. */
  answersWith: { status: number; body: object } | undefined;
  close(): Promise<void>;
}

const CLIENT = { client_id: "frontdesk-app", client_secret: "an-example-secret" };
const LIFE_S = 3_600;

export async function startOAuthProvider(): Promise<OAuthProviderForTests> {
  const authority = newAuthority();
  const codes = new Map<string, { user: string; challenge: string; redirectUri: string }>();
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  let renewed = 0;
  const secure = createServer(authority.certify(["localhost", "127.0.0.1"]), (request, response) => {
    void answer(request, response);
  });
  const plain = createPlainServer((request, response) => void introspect(request, response));
  const [port, plainPort] = await Promise.all([listening(secure), listening(plain)]);
  const base = `https://localhost:${port}`;
  const provider: OAuthProviderForTests = {
    ca: authority.ca,
    settings: {
      ...{ provider: "custom", ...CLIENT, scope: "mail offline" },
      ...{ authorize_url: `${base}/authorize`, token_url: `${base}/token` },
    },
    introspectionUrl: `http://127.0.0.1:${plainPort}/introspect`,
    userOf: (token) => access.get(token),
    async allows(url, user) {
      const asked = new URL(url).searchParams;
      const code = randomUUID();
      const redirectUri = asked.get("redirect_uri") ?? "";
      codes.set(code, { user, challenge: asked.get("code_challenge") ?? "", redirectUri });
      return new URLSearchParams({ code, state: asked.get("state") ?? "" }).toString();
    },
    renewals: () => renewed,
    revokesAccess: () => access.clear(),
    revokesAll() {
      access.clear();
      refresh.clear();
    },
    answersWith: undefined,
    async close() {
      for (const server of [secure, plain]) {
        server.closeAllConnections();
        server.close();
      }
      await Promise.all([secure, plain].map((server) => (server.listening ? once(server, "close") : undefined)));
    },
  };
  return provider;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const scripted = provider.answersWith;
    if (scripted) return json(response, scripted.status, scripted.body);
    const isClient = form.get("client_id") === CLIENT.client_id && form.get("client_secret") === CLIENT.client_secret;
    if (!isClient) return json(response, 401, { error: "invalid_client", error_description: "No such app." });
    const user = form.get("grant_type") === "refresh_token" ? userOfRefresh(form) : userOfCode(form);
    if (user === undefined) return json(response, 400, { error: "invalid_grant", error_description: "It is over." });
    const tokens = { access: randomUUID(), refresh: randomUUID() };
    access.set(tokens.access, user);
    refresh.set(tokens.refresh, user);
    json(response, 200, {
      ...{ access_token: tokens.access, refresh_token: tokens.refresh, token_type: "Bearer", expires_in: LIFE_S },
    });
  }

  /** A token to renew with is good once. */
  function userOfRefresh(form: URLSearchParams): string | undefined {
    renewed += 1;
    const token = form.get("refresh_token") ?? "";
    const user = refresh.get(token);
    refresh.delete(token);
    return user;
  }

  function userOfCode(form: URLSearchParams): string | undefined {
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isTheirs = code?.challenge === challenge && code.redirectUri === form.get("redirect_uri");
    return isTheirs ? code.user : undefined;
  }

  /** RFC 7662, as Dovecot asks. */
  async function introspect(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const user = access.get(new URLSearchParams(await text(request)).get("token") ?? "");
    json(response, 200, user === undefined ? { active: false } : { active: true, username: user });
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
