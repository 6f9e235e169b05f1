import type { AppResource } from "@frontdesk/core/domain/app-resource";
import { resourceAt } from "@frontdesk/core/domain/app-resource";
import { isRegisteredRedirect } from "@frontdesk/core/domain/redirect-uri";
import type { AppClient } from "./app-client.ts";

/** What an app asks for, with everything about it known to be right. */
export interface AuthorizationRequest {
  client: AppClient;
  redirectUri: string;
  state: string | undefined;
  /** Base64url of SHA-256: PKCE. */
  challenge: string;
  resource: AppResource;
}

/** Nothing says where the browser could be sent: the person sees the problem. */
export const requestProblems = ["unreadable", "unknown-app", "unknown-redirect"] as const;
export type RequestProblem = (typeof requestProblems)[number];

export type ReadRequest =
  | { outcome: "asked"; request: AuthorizationRequest }
  | { outcome: "problem"; problem: RequestProblem }
  /** An error for the app, at an address that is its own. */
  | { outcome: "send-back"; url: string };

type ErrorCode = "invalid_request" | "unsupported_response_type" | "invalid_target" | "access_denied" | "server_error";

const QUERY_MAX = 8_192;
const STATE_MAX = 4_096;

/**
 * Reads the query of `/oauth/authorize` (OAuth 2.1, section 4.1.1). What is not known is ignored, also a scope: there is one.
 *
 * @param clientOf the app of a `client_id`; undefined for an unknown one
 */
export async function readAuthorizationRequest(
  query: string,
  issuer: string,
  clientOf: (id: string) => Promise<AppClient | undefined>,
): Promise<ReadRequest> {
  if (query.length > QUERY_MAX) return { outcome: "problem", problem: "unreadable" };
  const params = new URLSearchParams(query);
  const once = (name: string) => (params.getAll(name).length === 1 ? (params.get(name) ?? undefined) : undefined);

  const id = once("client_id");
  const client = id ? await clientOf(id) : undefined;
  if (!client) return { outcome: "problem", problem: "unknown-app" };
  const redirectUri = once("redirect_uri");
  if (redirectUri === undefined || !isRegisteredRedirect(redirectUri, client.redirectUris)) {
    return { outcome: "problem", problem: "unknown-redirect" };
  }

  const state = once("state");
  const back = { redirectUri, state, issuer };
  const wrong = (error: ErrorCode, words: string): ReadRequest => ({
    outcome: "send-back",
    url: errorUrl(back, error, words),
  });
  const repeated = [...new Set(params.keys())].find((name) => name !== "resource" && params.getAll(name).length > 1);
  if (repeated !== undefined) return wrong("invalid_request", "A parameter is there twice.");
  if ((state?.length ?? 0) > STATE_MAX) return wrong("invalid_request", "state is too long.");
  const type = once("response_type");
  if (type === undefined) return wrong("invalid_request", "response_type is missing.");
  if (type !== "code") return wrong("unsupported_response_type", "response_type has to be code.");
  if ((once("response_mode") ?? "query") !== "query") return wrong("invalid_request", "response_mode has to be query.");
  if (params.has("request") || params.has("request_uri")) {
    return wrong("invalid_request", "Request objects are not supported.");
  }
  const challenge = once("code_challenge");
  if (challenge === undefined || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return wrong("invalid_request", "code_challenge has to be there: PKCE by S256.");
  }
  if (once("code_challenge_method") !== "S256") {
    return wrong("invalid_request", "code_challenge_method has to be S256.");
  }
  const resource = resourceOf(issuer, params.getAll("resource"));
  if (resource === undefined) return wrong("invalid_target", "resource is not an address for apps of this server.");
  return { outcome: "asked", request: { client, redirectUri, state, challenge, resource } };
}

/** Without a word of it, it is `/mcp`: some hosts send none. */
export function resourceOf(issuer: string, asked: readonly string[]): AppResource | undefined {
  if (asked.length === 0) return "mcp";
  const [first, ...others] = asked.map((address) => resourceAt(issuer, address));
  return others.every((other) => other === first) ? first : undefined;
}

interface Back {
  redirectUri: string;
  state: string | undefined;
  issuer: string;
}

/** Where the browser takes an error: with `iss`, as an answer (RFC 9207). */
export const errorUrl = (back: Back, error: ErrorCode, words: string): string =>
  answerUrl(back, { error, error_description: words });

/** Where the browser takes the code. */
export const codeUrl = (back: Back, code: string): string => answerUrl(back, { code });

function answerUrl({ redirectUri, state, issuer }: Back, answer: Record<string, string>): string {
  const params = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer });
  // The rest of it stays letter by letter as it was registered.
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${params}`;
}
