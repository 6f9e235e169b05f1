import type { FastifyRequest } from "fastify";
import { HttpProblem } from "./http-problem.ts";

/** Whether a request with a cookie comes from a page of our own: browsers send the cookie whatever page makes the request. */
export interface OwnPage {
  /**
   * For changes, and for WebSockets: the request has to prove it.
   *
   * @throws HttpProblem 403
   */
  require(request: PageRequest): void;
  isOwn(request: PageRequest): boolean;
  /** For reads: nothing may contradict it. */
  isForeign(request: PageRequest): boolean;
}

type PageRequest = Pick<FastifyRequest, "headers" | "protocol" | "host">;

/** `Sec-Fetch-Site` says it, which no page can set; browsers without it send `Origin` with every change. */
export function ownPage(publicUrl: string): OwnPage {
  const ours = new URL(publicUrl).origin;

  return {
    require(request) {
      if (origin(request) === "own") return;
      throw new HttpProblem(403, "http.own-page-only");
    },
    isOwn: (request) => origin(request) === "own",
    isForeign: (request) => origin(request) === "foreign",
  };

  function origin({ headers, protocol, host }: PageRequest): "own" | "foreign" | "unknown" {
    const site = headers["sec-fetch-site"];
    // `none` is the person, by an address or a bookmark.
    if (site !== undefined && site !== "none") return site === "same-origin" ? "own" : "foreign";
    if (headers.origin === undefined) return "unknown";
    return headers.origin === ours || headers.origin === `${protocol}://${host}` ? "own" : "foreign";
  }
}
