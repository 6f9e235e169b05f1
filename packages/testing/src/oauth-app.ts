/** An app that connects by OAuth, as hosts of MCP do it, and the person who answers it. */
import { createHash, randomBytes } from "node:crypto";
import { SESSION_PREFIX } from "@frontdesk/core/contract/session";
import { OWN_PAGE, type SignedIn } from "./signed-in.ts";
import type { TestAnswer, TestApp } from "./test-kit.ts";

export const ISSUER = "https://chat.test";
const READING = ["read_conversations", "view_tags"];

export interface Verifier {
  verifier: string;
  challenge: string;
}

export function pkce(): Verifier {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** What a person chooses on the consent page. */
export interface Choice {
  permissions?: string[];
  widgets?: "all" | string[];
  channels?: "all" | string[];
  agent_id?: string | null;
}

/** Everything an app asks for with; `undefined` leaves a parameter out. */
export type Query = Record<string, string | undefined>;

export interface OAuthApp {
  clientId: string;
  redirectUri: string;
  /** Opens the browser at `/oauth/authorize`; the answer is not followed. */
  authorize(change?: Query): Promise<TestAnswer>;
  query(change?: Query): string;
  /** From the app's question to its code, by a person who allows it. */
  code(person: SignedIn, choice?: Choice, change?: Query): Promise<{ code: string; verifier: string; back: URL }>;
  exchange(given: { code: string; verifier: string }, change?: Query): Promise<TestAnswer>;
  refresh(token: string, change?: Query): Promise<TestAnswer>;
  revoke(token: string): Promise<TestAnswer>;
  /** All of it: the tokens of a new consent. */
  connect(person: SignedIn, choice?: Choice, change?: Query): Promise<{ access: string; refresh: string }>;
}

/** `POST` of a form, as apps send it. */
export async function postForm(
  { app }: Pick<TestApp, "app">,
  path: string,
  fields: Query | [string, string][],
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const given = Array.isArray(fields)
    ? fields
    : Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const answer = await app.http.inject({
    method: "POST",
    url: path,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(given as [string, string][]).toString(),
  });
  return asAnswer(answer);
}

export async function register({ app }: Pick<TestApp, "app">, body: unknown): Promise<TestAnswer> {
  return asAnswer(await app.http.inject({ method: "POST", url: "/oauth/register", payload: body as object }));
}

/** An app by its registration, with one redirect. */
export async function registeredApp(
  kit: Pick<TestApp, "app">,
  { name = "Robin", redirectUri = "https://robin.test/callback" }: { name?: string; redirectUri?: string } = {},
): Promise<OAuthApp> {
  const { body } = await register(kit, { client_name: name, redirect_uris: [redirectUri] });
  return oauthApp(kit, { clientId: body.client_id, redirectUri });
}

/** An app whose id is known. */
export function oauthApp(
  kit: Pick<TestApp, "app">,
  { clientId, redirectUri }: { clientId: string; redirectUri: string },
): OAuthApp {
  const query: OAuthApp["query"] = (change = {}) => {
    const asked: Query = {
      ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state: "a state" },
      ...{ code_challenge: pkce().challenge, code_challenge_method: "S256", resource: `${ISSUER}/mcp` },
      ...change,
    };
    return new URLSearchParams(
      Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ).toString();
  };
  const authorize: OAuthApp["authorize"] = async (change) =>
    asAnswer(await kit.app.http.inject({ method: "GET", url: `/oauth/authorize?${query(change)}` }));

  const code: OAuthApp["code"] = async (person, choice = {}, change = {}) => {
    const { verifier, challenge } = pkce();
    const { headers } = await authorize({ code_challenge: challenge, ...change });
    const asked = new URL(headers.location ?? "").searchParams.get("request") ?? "";
    const chosen = { permissions: READING, widgets: "all", channels: [], agent_id: null, ...choice };
    const { body, status } = await person.post("/connect", { query: asked, ...chosen });
    if (status !== 200) throw new Error(`The consent was refused: ${status} ${JSON.stringify(body)}`);
    const back = new URL(body.redirect_to);
    return { code: back.searchParams.get("code") ?? "", verifier, back };
  };
  const exchange: OAuthApp["exchange"] = (given, change = {}) =>
    postForm(kit, "/oauth/token", {
      ...{ grant_type: "authorization_code", client_id: clientId, redirect_uri: redirectUri },
      ...{ code: given.code, code_verifier: given.verifier },
      ...change,
    });
  return {
    ...{ clientId, redirectUri, query, authorize, code, exchange },
    refresh: (token, change = {}) =>
      postForm(kit, "/oauth/token", {
        ...{ grant_type: "refresh_token", client_id: clientId, refresh_token: token },
        ...change,
      }),
    revoke: (token) => postForm(kit, "/oauth/revoke", { token, client_id: clientId }),
    async connect(person, choice, change) {
      const { status, body } = await exchange(await code(person, choice, change));
      if (status !== 200) throw new Error(`The code was refused: ${status} ${JSON.stringify(body)}`);
      return { access: body.access_token, refresh: body.refresh_token };
    },
  };
}

/** A call of MCP's list of tools, by HTTP. */
export async function listTools(
  { app }: Pick<TestApp, "app">,
  token: string | undefined,
  path = "/mcp",
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const answer = await app.http.inject({
    method: "POST",
    url: path,
    headers: {
      ...{ host: "chat.test", accept: "application/json, text/event-stream", "content-type": "application/json" },
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    payload: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  return asAnswer(answer);
}

/** The names of the tools that an app is shown now. */
export async function toolNames(kit: Pick<TestApp, "app">, token: string, path?: string): Promise<string[]> {
  const { status, body } = await listTools(kit, token, path);
  if (status !== 200) throw new Error(`No list: ${status}`);
  return body.result.tools.map(({ name }: { name: string }) => name);
}

/** A request of the consent page. */
export const consentRequest = (kit: Pick<TestApp, "app">, path: string, body: object, headers = OWN_PAGE) =>
  kit.app.http
    .inject({ method: "POST", url: `${SESSION_PREFIX}${path}`, headers, payload: body })
    .then((answer) => asAnswer(answer));

type Injected = Awaited<ReturnType<TestApp["app"]["http"]["inject"]>>;

function asAnswer(answer: Injected): TestAnswer {
  const isJson = answer.headers["content-type"]?.toString().startsWith("application/json");
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string | undefined>,
    body: isJson ? answer.json() : answer.payload,
  };
}
