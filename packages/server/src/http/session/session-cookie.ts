import type { FastifyReply, FastifyRequest } from "fastify";
import { CHALLENGE_LIFE_MS } from "../../access/passkey.ts";
import { BROWSER_LIFE_MS } from "../../factors/known-browser.ts";
import { SECOND_STEP_LIFE_MS } from "../../sessions/open-session.ts";
import { SESSION_LIFE_MS } from "../../sessions/session.ts";
import { SSO_COOKIE_MS } from "../../sso/sso-cookie.ts";

/**
 * A cookie of ours: no script can read it, and browsers do not send it with background requests of another site's page. Over https
 * it is bound to our exact host (`__Host-`); a cookie of another name is ignored.
 */
export interface OwnCookie {
  /** Undefined without one. */
  read(request: CookieRequest): string | undefined;
  set(request: CookieRequest, reply: FastifyReply, value: string): void;
  clear(request: CookieRequest, reply: FastifyReply): void;
}

/** The cookie with the token of a session. */
export type SessionCookie = OwnCookie;

type CookieRequest = Pick<FastifyRequest, "headers" | "protocol" | "host">;

/** All cookies of the dashboard. Their values are letters, digits, `_`, `-` and `.`: nothing needs quotes or escapes. */
const COOKIES = {
  session: { name: "frontdesk", lifeMs: SESSION_LIFE_MS },
  /** Between the password and the second step. */
  secondStep: { name: "frontdesk-second-step", lifeMs: SECOND_STEP_LIFE_MS },
  /** What passkeys are asked to sign. */
  challenge: { name: "frontdesk-challenge", lifeMs: CHALLENGE_LIFE_MS },
  /** A sign-in by SSO that was begun. */
  sso: { name: "frontdesk-sso", lifeMs: SSO_COOKIE_MS },
  /** The tokens by which agents' browsers are known. */
  browser: { name: "frontdesk-browser", lifeMs: BROWSER_LIFE_MS },
} as const;

export type OwnCookies = Record<keyof typeof COOKIES, OwnCookie>;

/** @param publicUrl the public address for agents: behind a proxy that terminates TLS, only this shows that https is used */
export function ownCookies(publicUrl: string): OwnCookies {
  const ours = new URL(publicUrl);
  const isHttps = ({ protocol, host }: CookieRequest) =>
    protocol === "https" || (ours.protocol === "https:" && host === ours.host);
  const nameFor = (request: CookieRequest, name: string) => (isHttps(request) ? `__Host-${name}` : name);

  return {
    session: ownCookie(COOKIES.session),
    secondStep: ownCookie(COOKIES.secondStep),
    challenge: ownCookie(COOKIES.challenge),
    sso: ownCookie(COOKIES.sso),
    browser: ownCookie(COOKIES.browser),
  };

  function ownCookie({ name, lifeMs }: (typeof COOKIES)[keyof typeof COOKIES]): OwnCookie {
    const send = (request: CookieRequest, reply: FastifyReply, value: string, maxAgeSeconds: number) => {
      const secure = isHttps(request) ? "; Secure" : "";
      const flags = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
      reply.header("set-cookie", `${nameFor(request, name)}=${value}; ${flags}`);
    };
    return {
      read: (request) => cookieValue(request.headers.cookie, nameFor(request, name)),
      set: (request, reply, value) => send(request, reply, value, lifeMs / 1_000),
      clear: (request, reply) => send(request, reply, "", 0),
    };
  }
}

function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const [key = "", value = ""] = pair.trim().split("=");
    if (key === name && value !== "") return value;
  }
  return undefined;
}
