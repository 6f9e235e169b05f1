import type { FastifyReply, FastifyRequest } from "fastify";
import { SESSION_LIFE_MS } from "../../sessions/session.ts";

/**
 * The cookie of a session: no script can read it, and no other site's page can send it along with what it makes a browser
 * ask in the background. Over https it is bound to our very host (`__Host-`); a cookie of another name is not looked at.
 */
export interface SessionCookie {
  /** The token of the session; undefined where there is none. */
  read(request: CookieRequest): string | undefined;
  set(request: CookieRequest, reply: FastifyReply, token: string): void;
  clear(request: CookieRequest, reply: FastifyReply): void;
}

type CookieRequest = Pick<FastifyRequest, "headers" | "protocol" | "host">;

const PLAIN_NAME = "frontdesk";
const HTTPS_NAME = "__Host-frontdesk";

/** @param publicUrl how agents reach us: where a proxy takes the https off, it is what tells that there is some */
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

/** Our values are letters, digits and `_`: nothing in them is quoted or escaped. */
function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const [key = "", value = ""] = pair.trim().split("=");
    if (key === name && value !== "") return value;
  }
  return undefined;
}
