import type { SsoClaims } from "@frontdesk/core/domain/sso";
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import * as oidc from "openid-client";
import type { Outbound } from "../outbound/outbound.ts";
import type { Failure } from "../outbound/post.ts";
import type { OidcProvider } from "./sso-provider.ts";

/** For one request to a provider. */
const TIMEOUT_MS = 5_000;
/** Documents, keys and tokens of large providers have some 20 KB; groups can make a token several times as long. */
const ANSWER_MAX_BYTES = 256 * 1_024;
/** How far the clocks of a provider and ours may be apart. */
const CLOCK_TOLERANCE_S = 120;
/** How old a logout token may be. */
const LOGOUT_AGE_S = 120;
/** Longest text of a claim that is kept. */
const CLAIM_MAX = 255;
const GROUPS_MAX = 1_000;
/** Signed by a key of the provider: never with a secret that we know as well, and never unsigned. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

/**
 * Why a provider could not be asked, or its answer is worth nothing.
 * - `away`: no answer, or one that says to come again
 * - `private`: its address is in a network that the operator has not listed
 * - `no-provider`: there is no provider with this issuer
 * - `refused`: the answer is not what was asked for, or not for us
 */
export interface OidcProblem {
  problem: "away" | "private" | "no-provider" | "refused";
  /** For the audit log and the log of the server; no secret. */
  words: string;
}

/** What is kept of a begun sign-in until its end. */
export interface BegunOidc {
  state: string;
  nonce: string;
  verifier: string;
}

/** Who has signed in at the provider, and how. */
export interface OidcSignIn {
  claims: SsoClaims;
  sid: string | null;
  /** ms since 1970 */
  authTime: number | null;
  amr: string | null;
}

export interface LogoutToken {
  tokenId: string;
  subject: string | undefined;
  sid: string | undefined;
  /** Until when the same token would be taken, ms since 1970. */
  expiresAt: number;
}

export interface OidcRequests {
  /** Looks whether there is a provider; undefined when there is. */
  look(provider: OidcProvider): Promise<OidcProblem | undefined>;
  /** @param asked.again the person has to prove anew who they are */
  signInUrl(
    provider: OidcProvider,
    asked: { redirectUri: string; begun: BegunOidc; email: string | undefined; again?: boolean },
  ): Promise<{ url: string } | OidcProblem>;
  /** @param answer.query what the provider has sent back with the browser */
  takeAnswer(
    provider: OidcProvider,
    answer: { redirectUri: string; query: string; begun: BegunOidc; again?: boolean },
  ): Promise<OidcSignIn | OidcProblem>;
  readLogout(provider: OidcProvider, token: string): Promise<LogoutToken | OidcProblem>;
}

/** Asks OpenID Connect providers; every request goes to a vetted address, and its answer is bounded. */
export function createOidcRequests(outbound: Pick<Outbound, "ask">, now: () => number): OidcRequests {
  return {
    look: (provider) => orProblem(() => configurationOf(provider).then(() => undefined)),
    signInUrl: (provider, { redirectUri, begun, email, again }) =>
      orProblem(async () => {
        const config = await configurationOf(provider);
        const url = oidc.buildAuthorizationUrl(config, {
          ...{ redirect_uri: redirectUri, scope: "openid email profile", response_type: "code" },
          ...{ state: begun.state, nonce: begun.nonce },
          ...{ code_challenge: await oidc.calculatePKCECodeChallenge(begun.verifier), code_challenge_method: "S256" },
          ...(email && { login_hint: email }),
          ...(again && { prompt: "login", max_age: "0" }),
        });
        if (url.protocol !== "https:") throw new Unusable("no-provider", "its sign-in page has no https");
        return { url: url.href };
      }),
    takeAnswer: (provider, { redirectUri, query, begun, again }) =>
      orProblem(async () => {
        const config = await configurationOf(provider);
        const url = new URL(`${redirectUri}?${query}`);
        const tokens = await oidc.authorizationCodeGrant(config, url, {
          ...{ expectedState: begun.state, expectedNonce: begun.nonce, pkceCodeVerifier: begun.verifier },
          idTokenExpected: true,
          ...(again && { maxAge: 0 }),
        });
        const claims = tokens.claims();
        if (!claims) throw new Unusable("refused", "there is no ID token");
        const more = await claimsOfUserInfo(config, claims, tokens.access_token);
        const { sid, auth_time, amr } = claims as Record<string, unknown>;
        return {
          claims: readClaims({ ...more, ...claims }),
          sid: textOf(sid) ?? null,
          authTime: typeof auth_time === "number" ? auth_time * 1_000 : null,
          amr: textsOf(amr).join(" ").slice(0, CLAIM_MAX) || null,
        };
      }),
    readLogout: (provider, token) =>
      orProblem(async () => {
        // Read before the provider is asked for its keys, so that strangers cannot make us ask it with any text.
        if (decodeProtectedHeader(token).typ?.toLowerCase() !== "logout+jwt")
          throw new Unusable("refused", "it is no logout token");
        const config = await configurationOf(provider);
        const { issuer, jwks_uri: keysUrl } = config.serverMetadata();
        if (!keysUrl) throw new Unusable("no-provider", "it has no keys");
        const keys = (await (await vettedFetch(keysUrl, { method: "GET", headers: {} })).json()) as JSONWebKeySet;
        const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
          ...{ issuer, audience: provider.clientId, typ: "logout+jwt", algorithms: ALGORITHMS },
          ...{ clockTolerance: CLOCK_TOLERANCE_S, maxTokenAge: LOGOUT_AGE_S, currentDate: new Date(now()) },
        });
        return logoutOf(payload);
      }),
  };

  /** Its documents as they are now: keys that were rotated are never missed, at the cost of a request. */
  async function configurationOf(provider: OidcProvider): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = provider;
    const metadata = {
      [oidc.clockSkew]: Math.round((now() - Date.now()) / 1_000),
      [oidc.clockTolerance]: CLOCK_TOLERANCE_S,
    };
    const authenticate: oidc.ClientAuth = (as, client, body, headers) => {
      if (usesBasic(provider, as)) headers.set("authorization", basicAuthorization(provider));
      else oidc.ClientSecretPost(clientSecret)(as, client, body, headers);
    };
    const config = await oidc
      .discovery(new URL(issuer), clientId, metadata, authenticate, {
        [oidc.customFetch]: (url, init) => vettedFetch(url, init),
        execute: [oidc.enableNonRepudiationChecks],
      })
      .catch((error) => {
        const known = causeOf(error);
        throw known ?? new Unusable("no-provider", wordsOf(error));
      });
    requireUsable(config.serverMetadata(), issuer);
    return config;
  }

  /** Some providers send an e-mail with the ID token, others only here. */
  async function claimsOfUserInfo(
    config: oidc.Configuration,
    claims: oidc.IDToken,
    accessToken: string,
  ): Promise<Record<string, unknown>> {
    if (typeof claims.email === "string" || !config.serverMetadata().userinfo_endpoint) return {};
    return { ...(await oidc.fetchUserInfo(config, accessToken, claims.sub)) };
  }

  /** One request by the guarded way out, as the libraries expect of `fetch`. */
  async function vettedFetch(
    url: string,
    init: { method: string; headers: Record<string, string>; body?: unknown },
  ): Promise<Response> {
    const address = new URL(url);
    if (address.protocol !== "https:") throw new Unusable("no-provider", "one of its addresses has no https");
    const outcome = await outbound.ask({
      ...{ url: address, headers: init.headers, body: init.body == null ? "" : String(init.body) },
      ...{ method: init.method === "GET" ? "GET" : "POST", timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_MAX_BYTES },
    });
    if (outcome.outcome === "failed") throw new Unreached(outcome.error);
    const { status, responseHead, responseBody } = outcome;
    if (status >= 500 || status === 429) throw new Unusable("away", `it answers ${status}`);
    if (status < 200 || status > 499 || [204, 205, 304].includes(status))
      throw new Unusable("refused", `it answers ${status}`);
    const type = responseHead["content-type"];
    return new Response(new Uint8Array(responseBody), { status, headers: type ? { "content-type": type } : {} });
  }
}

/**
 * Whether the client secret goes into a header. Where a server has one way for each client, that one is the standard's default (OpenID
 * Connect Discovery, 3); the known providers take both, and the form has no rule of escaping that they could have got wrong.
 */
function usesBasic({ preset }: OidcProvider, { token_endpoint_auth_methods_supported: ways }: oidc.ServerMetadata) {
  if (!ways?.includes("client_secret_post")) return true;
  return preset === "custom" && ways.includes("client_secret_basic");
}

/** Escaped no more than needed: the library escapes dots and dashes too, which servers that do not unescape would refuse. */
function basicAuthorization({ clientId, clientSecret }: OidcProvider): string {
  const text = [clientId, clientSecret].map(encodeURIComponent).join(":");
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

/** The library is generous with some of Microsoft's issuers; ours name one tenant, letter by letter. */
function requireUsable(as: oidc.ServerMetadata, issuer: string): void {
  if (as.issuer !== issuer) throw new Unusable("no-provider", "it has another issuer");
  const { id_token_signing_alg_values_supported: said } = as;
  if (said && !said.some((algorithm) => ALGORITHMS.includes(algorithm)))
    throw new Unusable("no-provider", "it signs with none of our algorithms");
}

class Unusable extends Error {
  readonly problem: OidcProblem["problem"];
  constructor(problem: OidcProblem["problem"], words: string) {
    super(words);
    this.problem = problem;
  }
}

class Unreached extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(`no answer: ${failure}`);
    this.failure = failure;
  }
}

async function orProblem<T>(ask: () => Promise<T>): Promise<T | OidcProblem> {
  try {
    return await ask();
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): OidcProblem {
  const known = causeOf(error);
  if (known instanceof Unusable) return { problem: known.problem, words: known.message };
  if (known) {
    const problem = known.failure === "blocked_address" ? "private" : known.failure === "dns" ? "no-provider" : "away";
    return { problem, words: known.message };
  }
  return { problem: "refused", words: wordsOf(error) };
}

/** The libraries wrap what their `fetch` throws. */
function causeOf(error: unknown): Unusable | Unreached | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Unusable || cause instanceof Unreached) return cause;
  }
  return undefined;
}

function wordsOf(error: unknown): string {
  const { message, code, error: said } = (error ?? {}) as { message?: string; code?: string; error?: unknown };
  return [textOf(said), code, message].filter(Boolean).join(": ").slice(0, CLAIM_MAX);
}

/** @throws Unusable */
function logoutOf({ jti, sub, sid, nonce, events, iat = 0 }: JWTPayload): LogoutToken {
  const has = (events as Record<string, unknown> | undefined)?.[LOGOUT_EVENT];
  const isRight = typeof has === "object" && has !== null && nonce === undefined;
  const tokenId = textOf(jti);
  const [subject, session] = [textOf(sub), textOf(sid)];
  if (!isRight || tokenId === undefined || (subject === undefined && session === undefined))
    throw new Unusable("refused", "it is no logout token");
  const expiresAt = (iat + LOGOUT_AGE_S + CLOCK_TOLERANCE_S) * 1_000;
  return { tokenId, subject, sid: session, expiresAt };
}

function readClaims(all: Record<string, unknown>): SsoClaims {
  const { sub, email, name, groups } = all;
  const subject = textOf(sub);
  if (subject === undefined) throw new Unusable("refused", "its subject cannot be stored");
  return { subject, email: textOf(email), name: textOf(name), groups: textsOf(groups), all };
}

/** What can be stored of a claim: a text that is not empty, not too long, and without control characters. */
function textOf(claim: unknown): string | undefined {
  const isPlain = typeof claim === "string" && claim.length <= CLAIM_MAX && claim.trim() !== "";
  return isPlain && claim.isWellFormed() && !/\p{Cc}/u.test(claim) ? claim : undefined;
}

const textsOf = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim.slice(0, GROUPS_MAX) : []).flatMap((each) => textOf(each) ?? []);
