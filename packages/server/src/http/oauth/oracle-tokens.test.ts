/** Requests for tokens that are right and wrong, answered by us and by a certified server of the same profile, and compared. */
import { pkce } from "@frontdesk/testing/oauth-app";
import {
  type Fields,
  form,
  inShort,
  OTHER_REDIRECT,
  openSides,
  REDIRECT,
  type Side,
} from "@frontdesk/testing/oauth-sides";
import { expect, test } from "vitest";

const { ours, theirs } = await openSides();

/** A request for the tokens of a new code, with something changed. */
async function exchanged(side: Side, change: Fields) {
  const { code, verifier } = await side.code();
  const asked = { grant_type: "authorization_code", client_id: side.ids.robin, redirect_uri: REDIRECT };
  return side.token(form({ ...asked, code, code_verifier: verifier, ...change(side) }));
}

/** A request for further tokens, with something changed; `access` and `refresh` stand for those of the first. */
async function refreshed(side: Side, change: Fields) {
  const { body } = await exchanged(side, () => ({}));
  const asked = { grant_type: "refresh_token", client_id: side.ids.robin, refresh_token: "refresh" };
  const fields = Object.entries({ ...asked, ...change(side) }).map(([name, value]) => [name, withTokens(value, body)]);
  return side.token(form(Object.fromEntries(fields)));
}

async function revoked(side: Side, change: Fields): Promise<string> {
  const { body } = await exchanged(side, () => ({}));
  const asked = { client_id: side.ids.robin, token: "refresh", ...change(side) };
  const fields = Object.entries(asked).map(([name, value]) => [name, withTokens(value, body)]);
  const status = await side.revoke(form(Object.fromEntries(fields)));
  const after = { grant_type: "refresh_token", client_id: side.ids.robin, refresh_token: String(body.refresh_token) };
  return `${status}, then ${inShort(await side.token(form(after)))}`;
}

function withTokens(
  value: string | string[] | undefined,
  body: Record<string, unknown>,
): string | string[] | undefined {
  if (value === "access") return String(body.access_token);
  return value === "refresh" ? String(body.refresh_token) : value;
}

const exchanges: [string, Fields][] = [
  ["a right one", () => ({})],
  ["one with the resource", ({ issuer }) => ({ resource: `${issuer}/mcp` })],
  ["one with a scope", () => ({ scope: "assist" })],
  ["one with more than is known", () => ({ audience: "x", foo: "bar" })],
  ["no grant_type", () => ({ grant_type: undefined })],
  ["an unknown grant_type", () => ({ grant_type: "x" })],
  ["two grant_types", () => ({ grant_type: ["authorization_code", "refresh_token"] })],
  ["the password grant", () => ({ grant_type: "password" })],
  ["the grant of programs", () => ({ grant_type: "client_credentials" })],
  ["the grant of devices", () => ({ grant_type: "urn:ietf:params:oauth:grant-type:device_code" })],
  ["no code", () => ({ code: undefined })],
  ["an empty code", () => ({ code: "" })],
  ["an unknown code", () => ({ code: "x" })],
  ["another client", ({ ids }) => ({ client_id: ids.other })],
  ["an unknown client", () => ({ client_id: "nobody" })],
  ["no client", () => ({ client_id: undefined })],
  ["an empty client", () => ({ client_id: "" })],
  ["two clients", ({ ids }) => ({ client_id: [ids.robin, ids.other] })],
  ["a secret, which there is none of", () => ({ client_secret: "x" })],
  ["another redirect", () => ({ redirect_uri: OTHER_REDIRECT })],
  ["a redirect with a slash more", () => ({ redirect_uri: `${REDIRECT}/` })],
  ["no redirect", () => ({ redirect_uri: undefined })],
  ["another verifier", () => ({ code_verifier: pkce().verifier })],
  ["a verifier that is too short", () => ({ code_verifier: "x" })],
  ["no verifier", () => ({ code_verifier: undefined })],
  ["an empty verifier", () => ({ code_verifier: "" })],
  ["another server's resource", () => ({ resource: "https://evil.test/mcp" })],
  ["another resource of the same server", ({ issuer }) => ({ resource: `${issuer}/mcp/readonly` })],
];
const EXCHANGED_DIFFERENTLY: Record<string, string> = {
  "a verifier that is too short": "ours is invalid_grant, as any wrong one; theirs says that its form is wrong",
  "a secret, which there is none of":
    "some hosts send an empty or invented one; theirs refuses a public client that has one",
  "no verifier": "ours says that a parameter is missing; theirs that the grant is wrong",
  "an empty verifier": "the same",
};
test.each(exchanges)("the code: %s", async (what, change) => {
  const [us, them] = [inShort(await exchanged(ours, change)), inShort(await exchanged(theirs, change))];
  if (what in EXCHANGED_DIFFERENTLY) expect(us).not.toBe(them);
  else expect(us).toBe(them);
});

const refreshes: [string, Fields][] = [
  ["a right one", () => ({})],
  ["one with the resource", ({ issuer }) => ({ resource: `${issuer}/mcp` })],
  ["one with the scope", () => ({ scope: "assist" })],
  ["one with more scopes", () => ({ scope: "assist admin" })],
  ["one with more than is known", () => ({ foo: "bar" })],
  ["no token", () => ({ refresh_token: undefined })],
  ["an empty token", () => ({ refresh_token: "" })],
  ["an unknown token", () => ({ refresh_token: "x" })],
  ["an access token", () => ({ refresh_token: "access" })],
  ["another client", ({ ids }) => ({ client_id: ids.other })],
  ["an unknown client", () => ({ client_id: "nobody" })],
  ["no client", () => ({ client_id: undefined })],
  ["another server's resource", () => ({ resource: "https://evil.test/mcp" })],
];
const REFRESHED_DIFFERENTLY: Record<string, string> = {
  "one with more scopes": "ours has one scope, ignores others, and answers with the one",
};
test.each(refreshes)("the refresh: %s", async (what, change) => {
  const [us, them] = [inShort(await refreshed(ours, change)), inShort(await refreshed(theirs, change))];
  if (what in REFRESHED_DIFFERENTLY) expect(us).not.toBe(them);
  else expect(us).toBe(them);
});

const revocations: [string, Fields][] = [
  ["of a refresh token", () => ({})],
  ["of a refresh token with its kind", () => ({ token_type_hint: "refresh_token" })],
  ["of a refresh token with another kind", () => ({ token_type_hint: "access_token" })],
  ["of an unknown kind", () => ({ token_type_hint: "x" })],
  ["of an access token", () => ({ token: "access" })],
  ["of an unknown token", () => ({ token: "x" })],
  ["of no token", () => ({ token: undefined })],
  ["by another client", ({ ids }) => ({ client_id: ids.other })],
  ["by an unknown client", () => ({ client_id: "nobody" })],
  ["by no client", () => ({ client_id: undefined })],
];
const REVOKED_DIFFERENTLY: Record<string, string> = {
  "by an unknown client": "ours answers with 200 to all, and ends nothing of another client",
  "by no client": "ours ends the grant for any program that has its token",
};
test.each(revocations)("the revocation: %s", async (what, change) => {
  const [us, them] = [await revoked(ours, change), await revoked(theirs, change)];
  if (what in REVOKED_DIFFERENTLY) expect(us).not.toBe(them);
  else expect(us).toBe(them);
});

async function story(side: Side): Promise<string[]> {
  const { code, verifier } = await side.code();
  const client_id = side.ids.robin;
  const asked = { grant_type: "authorization_code", client_id, redirect_uri: REDIRECT, code, code_verifier: verifier };
  const first = await side.token(form(asked));
  const refresh = (refresh_token: unknown, change: Record<string, string | undefined> = {}) =>
    side.token(form({ grant_type: "refresh_token", client_id, refresh_token: String(refresh_token), ...change }));
  const seen = [inShort(first)];
  const old = first.body.refresh_token;
  seen.push(inShort(await refresh(old, { client_id: side.ids.other })));
  seen.push(inShort(await refresh(old, { client_id: "nobody" })));
  seen.push(inShort(await refresh("x")));
  seen.push(inShort(await refresh(old, { refresh_token: undefined })));
  const second = await refresh(old);
  seen.push(inShort(second), String(second.body.refresh_token !== old));
  seen.push(String(await side.revoke(form({ client_id, token: String(second.body.refresh_token) }))));
  seen.push(inShort(await refresh(second.body.refresh_token)));
  seen.push(String(await side.revoke(form({ client_id, token: "x" }))));
  seen.push(String(await side.revoke(form({ client_id }))));

  const again = await side.code();
  const use = () => side.token(form({ ...asked, code: again.code, code_verifier: again.verifier }));
  const used = await use();
  seen.push(inShort(used), inShort(await use()), inShort(await refresh(used.body.refresh_token)));

  // Last: theirs uses the token up with this mistake, ours does not.
  const third = await side.code();
  const { body } = await side.token(form({ ...asked, code: third.code, code_verifier: third.verifier }));
  seen.push(inShort(await refresh(body.refresh_token, { resource: "https://evil.test/mcp" })));
  return seen;
}

test("a life of tokens: refreshed, of others, revoked, and a code that is used twice", async () => {
  const [us, them] = [await story(ours), await story(theirs)];
  expect(us).toEqual(them);
});
