import type { FastifyReply, FastifyRequest } from "fastify";
import { SESSION_LIFE_MS } from "../../sessions/session.ts";

/**
 * The cookie of a session: no script can read it, and browsers do not send it with background requests of another site's page.
 * Over https it is bound to our exact host (`__Host-`); a cookie of another name is ignored.
 */
export interface SessionCookie {
  /** The token of the session; undefined without one. */
  read(request: CookieRequest): string | undefined;
  set(request: CookieRequest, reply: FastifyReply, token: string): void;
  clear(request: CookieRequest, reply: FastifyReply): void;
}

type CookieRequest = Pick<FastifyRequest, "headers" | "protocol" | "host">;

const PLAIN_NAME = "frontdesk";
const HTTPS_NAME = "__Host-frontdesk";

/** @param publicUrl the public address for agents: behind a proxy that terminates TLS, only this shows that https is used */
export function sessionCookie(publicUrl: string): SessionCookie {
  const ours = new URL(publicUrl);
  const isHttps = ({ protocol, host }: CookieRequest) =>
    protocol === "https" || (ours.protocol === "https:" && host === ours.host);

  return {
    read: (request) => cookieValue(request.headers.cookie, isHttps(request) ? HTTPS_NAME : PLAIN_NAME),
    set(request, reply, token) {
      send(request, reply, token, SESSION_LIFE_MS / 1_000);
    },
    clear(request, reply) {
      send(request, reply, "", 0);
    },
  };

  function send(request: CookieRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
    const [name, secure] = isHttps(request) ? [HTTPS_NAME, "; Secure"] : [PLAIN_NAME, ""];
    reply.header("set-cookie", `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`);
  }
}

/** Our values are letters, digits and `_`: nothing needs quotes or escapes. */
function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const [key = "", value = ""] = pair.trim().split("=");
    if (key === name && value !== "") return value;
  }
  return undefined;
}
