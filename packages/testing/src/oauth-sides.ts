/** Our authorization server and a certified one of the same profile, with the same two apps, for tests that compare their answers. */
import { afterAll } from "vitest";
import { ISSUER, pkce, postForm, registeredApp } from "./oauth-app.ts";
import { startOracle } from "./oauth-oracle.ts";
import { signedIn } from "./signed-in.ts";
import { startTestApp } from "./test-kit.ts";

export const REDIRECT = "https://robin.test/callback";
export const OTHER_REDIRECT = "https://other.test/callback";

export interface TokenAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** One of the two servers, and its names of the same things. */
export interface Side {
  issuer: string;
  ids: { robin: string; other: string };
  authorize(query: string): Promise<{ status: number; location: string | undefined }>;
  token(form: URLSearchParams): Promise<TokenAnswer>;
  /** Its status. */
  revoke(form: URLSearchParams): Promise<number>;
  /** A code of a person who has allowed it. */
  code(): Promise<{ code: string; verifier: string }>;
}

/** Parameters by what the server calls things; an array sends one several times, and undefined leaves it out. */
export type Fields = (side: Side) => Record<string, string | string[] | undefined>;

export function form(fields: Record<string, string | string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(fields).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each]));
  return new URLSearchParams(pairs as [string, string][]);
}

/** Closed after the test file. */
export async function openSides(): Promise<{ ours: Side; theirs: Side }> {
  const kit = await startTestApp();
  const team = await kit.team();
  const admin = await signedIn(kit, team, "CHAT_AGENT_ADMIN");
  const oracle = await startOracle({ robin: [REDIRECT], other: [OTHER_REDIRECT] });
  afterAll(() => oracle.close());
  const robin = await registeredApp(kit, { redirectUri: REDIRECT });
  const other = await registeredApp(kit, { name: "Other", redirectUri: OTHER_REDIRECT });
  const ours: Side = {
    issuer: ISSUER,
    ids: { robin: robin.clientId, other: other.clientId },
    async authorize(query) {
      const { statusCode, headers } = await kit.app.http.inject({ method: "GET", url: `/oauth/authorize?${query}` });
      return { status: statusCode, location: headers.location };
    },
    token: (fields) => postForm(kit, "/oauth/token", [...fields]),
    revoke: async (fields) => (await postForm(kit, "/oauth/revoke", [...fields])).status,
    code: () => robin.code(admin),
  };
  const theirs: Side = {
    issuer: oracle.issuer,
    ids: { robin: "robin", other: "other" },
    async authorize(query) {
      const { status, headers } = await oracle.authorize(query);
      return { status, location: headers.get("location") ?? undefined };
    },
    async token(fields) {
      const answer = await oracle.token(fields);
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    revoke: async (fields) => (await oracle.revoke(fields)).status,
    code: () => oracle.code({ clientId: "robin", redirectUri: REDIRECT }),
  };
  return { ours, theirs };
}

/** Status and error; of tokens which there are. */
export function inShort({ status, body }: TokenAnswer): string {
  if (status !== 200) return `${status} ${body.error}`;
  return `200 ${["access_token", "refresh_token", "token_type", "expires_in"].map((name) => typeof body[name])}`;
}

/** What comes of a question: the person is asked, the app gets an error, or only the person sees one. */
export async function cameOf(side: Side, change: Fields): Promise<string> {
  const query = form({
    ...{ response_type: "code", client_id: side.ids.robin, redirect_uri: REDIRECT, state: "s" },
    ...{ code_challenge: pkce().challenge, code_challenge_method: "S256", scope: "assist" },
    ...{ resource: `${side.issuer}/mcp`, ...change(side) },
  });
  const { status, location } = await side.authorize(query.toString());
  if (location?.startsWith(REDIRECT)) {
    const answer = new URL(location).searchParams;
    return `${answer.get("error")} state=${answer.get("state")} iss=${answer.get("iss") === side.issuer}`;
  }
  if (status >= 400 || location?.includes("/app/connect?problem=")) return "told the person";
  return "asked";
}
