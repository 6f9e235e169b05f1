/** Questions that are right and wrong, answered by us and by a certified server of the same profile, and compared. */
import { pkce } from "@frontdesk/testing/oauth-app";
import { cameOf, type Fields, OTHER_REDIRECT, openSides, REDIRECT } from "@frontdesk/testing/oauth-sides";
import { expect, test } from "vitest";

const { ours, theirs } = await openSides();

const questions: [string, Fields][] = [
  ["a right one", () => ({})],
  ["one without a state", () => ({ state: undefined })],
  ["one without a resource", () => ({ resource: undefined })],
  ["one for the read-only address", ({ issuer }) => ({ resource: `${issuer}/mcp/readonly` })],
  ["one with more than is known", () => ({ audience: "x", foo: "bar", login_hint: "ada" })],
  ["one with a nonce", () => ({ nonce: "n" })],
  ["one without a client", () => ({ client_id: undefined })],
  ["an unknown client", () => ({ client_id: "nobody" })],
  ["another client's redirect", () => ({ redirect_uri: OTHER_REDIRECT })],
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
  ["one without a scope", () => ({ scope: undefined })],
  ["one with scopes that are unknown", () => ({ scope: "assist read_conversations mcp:tools" })],
  ["one with offline_access", () => ({ scope: "assist offline_access" })],
  ["one that asks for a query", () => ({ response_mode: "query" })],
  ["one that asks for a fragment", () => ({ response_mode: "fragment" })],
  ["one that asks for a form", () => ({ response_mode: "form_post" })],
  ["one with an unknown response_mode", () => ({ response_mode: "x" })],
  ["one that wants no question", () => ({ prompt: "none" })],
  ["one that wants the consent", () => ({ prompt: "consent" })],
  ["one that wants a sign-in", () => ({ prompt: "login" })],
  ["one with an age", () => ({ max_age: "0" })],
  ["one with a language", () => ({ ui_locales: "de fr" })],
  ["one with a display", () => ({ display: "popup" })],
  ["one with an access_type", () => ({ access_type: "offline" })],
  ["one with a request object", () => ({ request: "e30.e30." })],
  ["one with a request_uri", () => ({ request_uri: "https://robin.test/request" })],
  ["an empty state", () => ({ state: "" })],
  ["a state with any letters, in an error", () => ({ state: "a b&c=d#é/+%", code_challenge: undefined })],
  ["a long state, in an error", () => ({ state: "s".repeat(1_500), response_type: "x" })],
  ["a client that is empty", () => ({ client_id: "" })],
  ["no redirect", () => ({ redirect_uri: undefined })],
  ["an empty redirect", () => ({ redirect_uri: "" })],
  ["a redirect that is none", () => ({ redirect_uri: "callback" })],
  ["a redirect in upper case", () => ({ redirect_uri: REDIRECT.toUpperCase() })],
  ["a redirect with a port more", () => ({ redirect_uri: "https://robin.test:8443/callback" })],
  ["a redirect with a user", () => ({ redirect_uri: "https://robin.test@evil.test/callback" })],
  ["a redirect below the registered one", () => ({ redirect_uri: `${REDIRECT}/../evil` })],
  ["two clients", ({ ids }) => ({ client_id: [ids.robin, ids.other] })],
  ["two redirects", () => ({ redirect_uri: [REDIRECT, OTHER_REDIRECT] })],
  ["two states", () => ({ state: ["s", "t"] })],
  ["two challenges", () => ({ code_challenge: [pkce().challenge, pkce().challenge] })],
  ["an empty challenge", () => ({ code_challenge: "" })],
  ["a challenge that is too long", () => ({ code_challenge: "a".repeat(129) })],
  ["a challenge with padding", () => ({ code_challenge: `${"a".repeat(43)}=` })],
  ["an empty method", () => ({ code_challenge_method: "" })],
  ["a challenge without a method", () => ({ code_challenge_method: undefined })],
  ["a resource that is none", () => ({ resource: "mcp" })],
  ["a resource with a fragment", ({ issuer }) => ({ resource: `${issuer}/mcp#x` })],
  ["a resource with a query", ({ issuer }) => ({ resource: `${issuer}/mcp?x=1` })],
  ["one of two resources from elsewhere", ({ issuer }) => ({ resource: [`${issuer}/mcp`, "https://evil.test/mcp"] })],
];

/** Where we differ, and why. */
const DIFFERENT: Record<string, string> = {
  "one with a nonce": "theirs knows it from OpenID Connect, and wants its scope; ours ignores what it does not know",
  "the implicit flow": "theirs answers in the fragment; ours has queries alone",
  "a hybrid flow": "the same",
  "one that asks for a fragment": "theirs has it; ours advertises queries alone, and says no",
  "one that asks for a form": "the same",
  "one with an unknown response_mode": "both say no; theirs has an error of its own for it",
  "one that wants no question": "theirs knows it from OpenID Connect; ours always asks the person",
  "one with an age": "the same",
  "one with a request object": "both say no; theirs has OpenID Connect's error for it",
  "one with a request_uri": "the same",
  "no redirect": "theirs takes the only one that is registered; ours wants it in every request",
  "an empty redirect": "the same",
  "two redirects": "theirs answers at the first; ours redirects nowhere when it is not clear where to",
};

test.each(questions)("the question: %s", async (what, change) => {
  const [us, them] = await Promise.all([cameOf(ours, change), cameOf(theirs, change)]);
  if (what in DIFFERENT) expect(us).not.toBe(them);
  else expect(us).toBe(them);
});
