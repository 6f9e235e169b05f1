import * as oauth from "oauth4webapi";
import type { Outbound } from "../../outbound/outbound.ts";
import type { OAuthApp } from "../email-settings.ts";
import type { MailTokens } from "./mail-grant.ts";
import { appKey, oauthProvider } from "./oauth-provider.ts";
import { signedAssertion } from "./service-key.ts";

const TIMEOUT_MS = 10_000;
/** For a provider that does not say how long a token is good (RFC 6749, 5.1). */
const USUAL_LIFE_S = 3_600;
/** Longest words of a provider that are shown. */
const WORDS_MAX = 200;

/**
 * Why there is no token.
 * - `refused`: a person has to sign in again
 * - `app`: the app itself is refused, or set up otherwise than the settings say
 * - `away`: nothing is known; another try may go well
 */
export interface TokenProblem {
  problem: "refused" | "app" | "away";
  /** The provider's code and words; null without any. */
  words: string | null;
}

export type TokenAnswer = { tokens: MailTokens } | TokenProblem;

export interface TokenRequests {
  /** The address at which people sign in to the provider, and allow the app to read and send mail. */
  signInUrl(app: OAuthApp, asked: { redirectUri: string; state: string; challenge: string; mailbox: string }): string;
  /** Takes the code that the provider has sent back with the browser. */
  takeCode(
    client: OAuthClient,
    answer: { parameters: URLSearchParams; state: string; verifier: string; redirectUri: string },
  ): Promise<TokenAnswer>;
  /** A new token by that of the grant. The provider may give another one to renew with, or none: then the old one stays. */
  renew(client: OAuthClient, refresh: string): Promise<TokenAnswer>;
  /** A token for an app that needs no person: by client credentials (RFC 6749, 4.4), or by the key of a service account (RFC 7523). */
  obtain(client: ServiceClient): Promise<TokenAnswer>;
}

export interface OAuthClient {
  app: OAuthApp;
  secret: string | undefined;
  /** Of an app to which an administrator has given the mailbox: no person signs in. */
  service?: { mailbox: string; privateKey: string | undefined };
}
export type ServiceClient = OAuthClient & Required<Pick<OAuthClient, "service">>;

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** The assertion says who asks; Google's endpoint is asked with nothing else. */
const byAssertion: oauth.ClientAuth = () => {};

/** Asks token endpoints; every request goes to a vetted address. */
export function createTokenRequests(outbound: Pick<Outbound, "post">, now: () => number): TokenRequests {
  const options = { [oauth.customFetch]: (url: string, init: FetchInit) => vettedFetch(outbound, url, init) };
  return {
    signInUrl(app, { redirectUri, state, challenge, mailbox }) {
      const { authorizeUrl, scope, parameters } = oauthProvider(app);
      const url = new URL(authorizeUrl);
      const query = {
        ...{ response_type: "code", client_id: app.client_id, redirect_uri: redirectUri, scope, state },
        ...{ code_challenge: challenge, code_challenge_method: "S256", login_hint: mailbox },
        ...parameters,
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },
    takeCode(of, { parameters, state, verifier, redirectUri }) {
      const { server, client } = partsOf(of.app);
      return answerOf(of, null, async () => {
        const code = oauth.validateAuthResponse(server, client, parameters, state);
        const answer = await oauth.authorizationCodeGrantRequest(
          ...([server, client, clientAuth(of.secret), code, redirectUri, verifier, options] as const),
        );
        return oauth.processAuthorizationCodeResponse(server, client, answer);
      });
    },
    renew(of, refresh) {
      const { server, client } = partsOf(of.app);
      return answerOf(of, refresh, async () => {
        const answer = await oauth.refreshTokenGrantRequest(server, client, clientAuth(of.secret), refresh, options);
        return oauth.processRefreshTokenResponse(server, client, answer);
      });
    },
    async obtain(of) {
      const { server, client } = partsOf(of.app);
      const { scope } = oauthProvider(of.app);
      const answer = await answerOf(of, null, async () => {
        const { privateKey } = of.service;
        if (privateKey === undefined) {
          const auth = clientAuth(of.secret);
          const answer = await oauth.clientCredentialsGrantRequest(server, client, auth, { scope }, options);
          return oauth.processClientCredentialsResponse(server, client, answer);
        }
        const assertion = assertionOf(of, privateKey);
        const asked = [server, client, byAssertion, JWT_BEARER, { assertion }, options] as const;
        return oauth.processGenericTokenEndpointResponse(
          ...([server, client, await oauth.genericTokenEndpointRequest(...asked)] as const),
        );
      });
      // There is no person who could sign in again: an administrator has to look at the app.
      if (!("tokens" in answer)) return answer.problem === "refused" ? { ...answer, problem: "app" } : answer;
      return { tokens: { ...answer.tokens, refresh: null } };
    },
  };

  function assertionOf({ app, service: { mailbox } }: ServiceClient, privateKey: string): string {
    const { tokenUrl, scope } = oauthProvider(app);
    return signedAssertion(privateKey, { issuer: app.client_id, mailbox, audience: tokenUrl.href, scope }, now());
  }

  async function answerOf(
    client: OAuthClient,
    refresh: string | null,
    ask: () => Promise<oauth.TokenEndpointResponse>,
  ): Promise<TokenAnswer> {
    try {
      const answer = await ask();
      const goodUntil = now() + (answer.expires_in ?? USUAL_LIFE_S) * 1_000;
      const tokens = { app: appKey(client), access: answer.access_token, goodUntil };
      return { tokens: { ...tokens, refresh: answer.refresh_token ?? refresh } };
    } catch (error) {
      return problemOf(error);
    }
  }
}

function partsOf(app: OAuthApp): { server: oauth.AuthorizationServer; client: oauth.Client } {
  const { authorizeUrl, tokenUrl } = oauthProvider(app);
  return {
    server: { issuer: authorizeUrl.origin, token_endpoint: tokenUrl.href },
    client: { client_id: app.client_id },
  };
}

const clientAuth = (secret: string | undefined) =>
  secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret);

/** What a person has to do again: the grant is over, was taken back, or wants more of them than a token (RFC 6749, 5.2). */
const PERSON: ReadonlySet<string> = new Set([
  "invalid_grant",
  "access_denied",
  "interaction_required",
  "login_required",
  "consent_required",
]);
const PASSING: ReadonlySet<string> = new Set(["temporarily_unavailable", "server_error", "slow_down"]);

function problemOf(error: unknown): TokenProblem {
  const { error: code, error_description: said, status = 400 } = (error ?? {}) as Record<string, unknown>;
  if (typeof code !== "string" || Number(status) >= 500 || Number(status) === 429 || PASSING.has(code)) {
    return { problem: "away", words: null };
  }
  const words = [code, typeof said === "string" ? said : ""].filter(Boolean).join(": ");
  // The rest of Microsoft's words are numbers for its support.
  const line = words
    .split(/[\r\n]/, 1)
    .join("")
    .slice(0, WORDS_MAX);
  return { problem: PERSON.has(code) ? "refused" : "app", words: line };
}

type FetchInit = { headers: Record<string, string>; body?: unknown; signal?: AbortSignal | undefined };

/** One POST by the guarded way out, as the library expects of `fetch`. Rejects without an answer. */
async function vettedFetch(outbound: Pick<Outbound, "post">, url: string, init: FetchInit): Promise<Response> {
  const outcome = await outbound.post({
    url: new URL(url),
    headers: { ...init.headers },
    body: String(init.body ?? ""),
    timeoutMs: TIMEOUT_MS,
  });
  if (outcome.outcome === "failed") throw new Error(`No answer from the provider: ${outcome.error}.`);
  const { status, responseHead, responseBody } = outcome;
  const type = responseHead["content-type"];
  // Statuses without a body would throw.
  if (status < 200 || status > 599 || [204, 205, 304].includes(status))
    throw new Error(`The provider answered ${status}.`);
  return new Response(new Uint8Array(responseBody), { status, headers: type ? { "content-type": type } : {} });
}
