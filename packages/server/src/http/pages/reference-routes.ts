import type { FastifyInstance } from "fastify";
import { VERSION } from "../../version.ts";
import { REST_PREFIX } from "../rest/rest-api.ts";
import { referencePage, referencePolicy } from "./reference-page.ts";

/** How long browsers may cache the page; it changes only with the program. */
const KEPT_SECONDS = 300;

/**
 * `/docs`: the public reference page. It is made at the first request and cached.
 *
 * @param options.publicUrl the public address for programs, without a slash at the end
 */
export async function referenceRoutes(app: FastifyInstance, { publicUrl }: { publicUrl: string }): Promise<void> {
  let page: string | undefined;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": referencePolicy(),
    "Cache-Control": `public, max-age=${KEPT_SECONDS}`,
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
  };
  app.get("/docs", async (_request, reply) => {
    page ??= referencePage({ serverUrl: `${publicUrl}${REST_PREFIX}`, version: VERSION });
    return reply.headers(headers).send(page);
  });
}
