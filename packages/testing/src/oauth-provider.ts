/**
 * A provider of mailboxes' sign-ins for tests: real HTTPS on loopback, with codes, PKCE, and tokens to renew with that are good
 * once. Dovecot asks it over HTTP whether a token is good.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, verify } from "node:crypto";
import { once } from "node:events";
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { text } from "node:stream/consumers";
import { sharedAuthority } from "./certificates.ts";

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
  /** The mailbox that an administrator has given to the app and to its service account: they need no person. */
  servesMailbox: string | undefined;
  /** A key file as Google gives it. */
  serviceAccount(): { client_email: string; private_key: string };
  /** How often a token of a mailbox was given without a person. */
  services(mailbox: string): number;
  /** How often a token of a mailbox was asked for to renew one. */
  renewals(mailbox: string): number;
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
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const SERVICE_ACCOUNT = "desk@project.example";

export async function startOAuthProvider(): Promise<OAuthProviderForTests> {
  const authority = sharedAuthority();
  const codes = new Map<string, { user: string; challenge: string; redirectUri: string }>();
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  const renewed: string[] = [];
  const served: string[] = [];
  let key: { publicKey: KeyObject; privateKey: KeyObject } | undefined;
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
    servesMailbox: undefined,
    serviceAccount() {
      key ??= generateKeyPairSync("rsa", { modulusLength: 2_048 });
      const private_key = key.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
      return { client_email: SERVICE_ACCOUNT, private_key };
    },
    services: (mailbox) => served.filter((each) => each === mailbox).length,
    renewals: (mailbox) => renewed.filter((each) => each === mailbox).length,
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
    if (form.get("grant_type") === JWT_BEARER) return serve(response, mailboxOfAssertion(form));
    const isClient = form.get("client_id") === CLIENT.client_id && form.get("client_secret") === CLIENT.client_secret;
    if (!isClient) return json(response, 401, { error: "invalid_client", error_description: "No such app." });
    if (form.get("grant_type") === "client_credentials") {
      return serve(response, form.get("scope") === provider.settings.scope ? provider.servesMailbox : undefined);
    }
    const user = form.get("grant_type") === "refresh_token" ? userOfRefresh(form) : userOfCode(form);
    if (user === undefined) return json(response, 400, { error: "invalid_grant", error_description: "It is over." });
    const tokens = { access: randomUUID(), refresh: randomUUID() };
    access.set(tokens.access, user);
    refresh.set(tokens.refresh, user);
    json(response, 200, {
      ...{ access_token: tokens.access, refresh_token: tokens.refresh, token_type: "Bearer", expires_in: LIFE_S },
    });
  }

  /** Such a token is never renewed: another one is asked for. */
  function serve(response: ServerResponse, mailbox: string | undefined): void {
    const token = randomUUID();
    if (mailbox === undefined) {
      json(response, 400, { error: "invalid_grant", error_description: "Not for this mailbox." });
    } else {
      served.push(mailbox);
      access.set(token, mailbox);
      json(response, 200, { access_token: token, token_type: "Bearer", expires_in: LIFE_S });
    }
  }

  /** RFC 7523, as Google takes it: signed, for this endpoint, and for an hour at most. The clocks of tests differ. */
  function mailboxOfAssertion(form: URLSearchParams): string | undefined {
    const claims = key && claimsOf(form.get("assertion") ?? "", key.publicKey);
    if (!claims) return undefined;
    const { iss, sub, aud, scope, iat, exp } = claims;
    const isForUs = iss === SERVICE_ACCOUNT && aud === `${base}/token` && scope === provider.settings.scope;
    const isShort = exp > iat && exp - iat <= LIFE_S;
    return isForUs && isShort && sub === provider.servesMailbox ? sub : undefined;
  }

  /** A token to renew with is good once. */
  function userOfRefresh(form: URLSearchParams): string | undefined {
    const token = form.get("refresh_token") ?? "";
    const user = refresh.get(token);
    renewed.push(user ?? "");
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

/** What an assertion says; undefined for one that is not signed with the key. */
function claimsOf(assertion: string, publicKey: KeyObject) {
  const [head = "", payload = "", signature = ""] = assertion.split(".");
  const isSigned = verify("sha256", Buffer.from(`${head}.${payload}`), publicKey, Buffer.from(signature, "base64url"));
  return isSigned ? JSON.parse(Buffer.from(payload, "base64url").toString()) : undefined;
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
