/** Requests that are right and wrong, answered by us and by a certified server of the same profile, and compared. */
import { type OAuthApp, pkce, registeredApp } from "@frontdesk/testing/oauth-app";
import { startOracle } from "@frontdesk/testing/oauth-oracle";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";

const REDIRECT = "https://robin.test/callback";
const OTHER = "https://other.test/callback";
const kit = await startTestApp();
const admin = await signedIn(kit, await kit.team(), "CHAT_AGENT_ADMIN");
const oracle = await startOracle({ robin: [REDIRECT], other: [OTHER] });
afterAll(() => oracle.close());
const robin = await registeredApp(kit, { redirectUri: REDIRECT });
const other = await registeredApp(kit, { name: "Other", redirectUri: OTHER });

/** One of the two servers, and its names of the same things. */
interface Side {
  issuer: string;
  ids: { robin: string; other: string };
  authorize(query: string): Promise<{ status: number; location: string | undefined }>;
  token(form: URLSearchParams): Promise<{ status: number; body: Record<string, unknown> }>;
  revoke(form: URLSearchParams): Promise<number>;
  code(): Promise<{ code: string; verifier: string }>;
}

const inject = (path: string, form: URLSearchParams) =>
  kit.app.http.inject({
    ...{ method: "POST", url: path, payload: form.toString() },
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
const ours: Side = {
  issuer: "https://chat.test",
  ids: { robin: robin.clientId, other: other.clientId },
  async authorize(query) {
    const { statusCode, headers } = await kit.app.http.inject({ method: "GET", url: `/oauth/authorize?${query}` });
    return { status: statusCode, location: headers.location };
  },
  async token(form) {
    const answer = await inject("/oauth/token", form);
    return { status: answer.statusCode, body: answer.json() };
  },
  revoke: async (form) => (await inject("/oauth/revoke", form)).statusCode,
  code: () => (robin as OAuthApp).code(admin),
};
const theirs: Side = {
  issuer: oracle.issuer,
  ids: { robin: "robin", other: "other" },
  async authorize(query) {
    const { status, headers } = await oracle.authorize(query);
    return { status, location: headers.get("location") ?? undefined };
  },
  async token(form) {
    const answer = await oracle.token(form);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  },
  revoke: async (form) => (await oracle.revoke(form)).status,
  code: () => oracle.code({ clientId: "robin", redirectUri: REDIRECT }),
};

type Fields = (side: Side) => Record<string, string | undefined>;
const given = (fields: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** What comes of a question: the person is asked, the app gets an error, or only the person sees one. */
async function cameOf(side: Side, change: Fields): Promise<string> {
  const { status, location } = await side.authorize(
    given({
      ...{ response_type: "code", client_id: side.ids.robin, redirect_uri: REDIRECT, state: "s" },
      ...{ code_challenge: pkce().challenge, code_challenge_method: "S256", scope: "assist" },
      ...{ resource: `${side.issuer}/mcp`, ...change(side) },
    }).toString(),
  );
  if (location?.startsWith(REDIRECT)) {
    const answer = new URL(location).searchParams;
    return `${answer.get("error")} state=${answer.get("state")} iss=${answer.get("iss") === side.issuer}`;
  }
  if (status >= 400 || location?.includes("/app/connect?problem=")) return "told the person";
  return "asked";
}

const questions: [string, Fields][] = [
  ["a right one", () => ({})],
  ["one without a state", () => ({ state: undefined })],
  ["one without a resource", () => ({ resource: undefined })],
  ["one for the read-only address", ({ issuer }) => ({ resource: `${issuer}/mcp/readonly` })],
  ["one with more than is known", () => ({ audience: "x", foo: "bar", login_hint: "ada" })],
  ["one with a nonce", () => ({ nonce: "n" })],
  ["one without a client", () => ({ client_id: undefined })],
  ["an unknown client", () => ({ client_id: "nobody" })],
  ["another client's redirect", () => ({ redirect_uri: OTHER })],
  ["an unknown redirect", () => ({ redirect_uri: "https://evil.test/" })],
  ["a redirect with a slash more", () => ({ redirect_uri: `${REDIRECT}/` })],
  ["a redirect with a query more", () => ({ redirect_uri: `${REDIRECT}?x=1` })],
  ["a redirect with a fragment", () => ({ redirect_uri: `${REDIRECT}#x` })],
  ["a redirect with another scheme", () => ({ redirect_uri: REDIRECT.replace("https", "http") })],
  ["no response_type", () => ({ response_type: undefined })],
  ["the implicit flow", () => ({ response_type: "token" })],
  ["a hybrid flow", () => ({ response_type: "code token" })],
  ["an unknown response_type", () => ({ response_type: "x" })],
  ["no PKCE", () => ({ code_challenge: undefined, code_challenge_method: undefined })],
  ["a method without a challenge", () => ({ code_challenge: undefined })],
  ["plain PKCE", () => ({ code_challenge_method: "plain" })],
  ["PKCE of an unknown method", () => ({ code_challenge_method: "S512" })],
  ["a challenge that is too short", () => ({ code_challenge: "x" })],
  ["a challenge with other letters", () => ({ code_challenge: `${"a".repeat(42)}!` })],
  ["another server's resource", () => ({ resource: "https://evil.test/mcp" })],
  ["another path's resource", ({ issuer }) => ({ resource: `${issuer}/tools` })],
];

/** Where we differ, and why. */
const DIFFERENT: Record<string, string> = {
  "one with a nonce": "theirs knows it from OpenID Connect, and wants its scope; ours ignores what it does not know",
  "the implicit flow": "theirs answers in the fragment; ours has queries alone",
  "a hybrid flow": "the same",
};

test.each(questions)("the question: %s", async (what, change) => {
  const [us, them] = await Promise.all([cameOf(ours, change), cameOf(theirs, change)]);
  if (what in DIFFERENT) expect(us).not.toBe(them);
  else expect(us).toBe(them);
});

/** Status and error; of tokens which there are. */
async function exchanged(side: Side, change: (side: Side, code: Record<string, string>) => Fields): Promise<string> {
  const { code, verifier } = await side.code();
  const fields = {
    ...{ grant_type: "authorization_code", client_id: side.ids.robin, redirect_uri: REDIRECT },
    ...{ code, code_verifier: verifier },
  };
  return said(await side.token(given({ ...fields, ...change(side, fields)(side) })));
}
function said({ status, body }: { status: number; body: Record<string, unknown> }): string {
  if (status !== 200) return `${status} ${body.error}`;
  return `200 ${["access_token", "refresh_token", "token_type", "expires_in"].map((name) => typeof body[name])}`;
}

const exchanges: [string, Fields][] = [
  ["a right one", () => ({})],
  ["one with the resource", ({ issuer }) => ({ resource: `${issuer}/mcp` })],
  ["no grant_type", () => ({ grant_type: undefined })],
  ["an unknown grant_type", () => ({ grant_type: "x" })],
  ["the password grant", () => ({ grant_type: "password" })],
  ["no code", () => ({ code: undefined })],
  ["an unknown code", () => ({ code: "x" })],
  ["another client", ({ ids }) => ({ client_id: ids.other })],
  ["an unknown client", () => ({ client_id: "nobody" })],
  ["another redirect", () => ({ redirect_uri: OTHER })],
  ["another verifier", () => ({ code_verifier: pkce().verifier })],
  ["a verifier that is too short", () => ({ code_verifier: "x" })],
  ["another server's resource", () => ({ resource: "https://evil.test/mcp" })],
];
const EXCHANGED_DIFFERENTLY: Record<string, string> = {
  "a verifier that is too short": "ours is invalid_grant, as any wrong one; theirs says that its form is wrong",
};
test.each(exchanges)("the code: %s", async (what, change) => {
  const [us, them] = [await exchanged(ours, () => change), await exchanged(theirs, () => change)];
  if (what in EXCHANGED_DIFFERENTLY) expect(us).not.toBe(them);
  else expect(us).toBe(them);
});

async function story(side: Side): Promise<string[]> {
  const { code, verifier } = await side.code();
  const client_id = side.ids.robin;
  const form = { grant_type: "authorization_code", client_id, redirect_uri: REDIRECT, code, code_verifier: verifier };
  const first = await side.token(given(form));
  const refresh = (refresh_token: unknown, change: Record<string, string | undefined> = {}) =>
    side.token(given({ grant_type: "refresh_token", client_id, refresh_token: String(refresh_token), ...change }));
  const seen = [said(first)];
  const old = first.body.refresh_token;
  seen.push(said(await refresh(old, { client_id: side.ids.other })));
  seen.push(said(await refresh(old, { client_id: "nobody" })));
  seen.push(said(await refresh("x")));
  seen.push(said(await refresh(old, { refresh_token: undefined })));
  const second = await refresh(old);
  seen.push(said(second), String(second.body.refresh_token !== old));
  seen.push(String(await side.revoke(given({ client_id, token: String(second.body.refresh_token) }))));
  seen.push(said(await refresh(second.body.refresh_token)));
  seen.push(String(await side.revoke(given({ client_id, token: "x" }))));
  seen.push(String(await side.revoke(given({ client_id }))));

  const again = await side.code();
  const use = () => side.token(given({ ...form, code: again.code, code_verifier: again.verifier }));
  const used = await use();
  seen.push(said(used), said(await use()), said(await refresh(used.body.refresh_token)));

  // Last: theirs uses the token up with this mistake, ours does not.
  const third = await side.code();
  const { body } = await side.token(given({ ...form, code: third.code, code_verifier: third.verifier }));
  seen.push(said(await refresh(body.refresh_token, { resource: "https://evil.test/mcp" })));
  return seen;
}

test("a life of tokens: refreshed, of others, revoked, and a code that is used twice", async () => {
  const [us, them] = [await story(ours), await story(theirs)];
  expect(us).toEqual(them);
});
