import type { FastifyInstance } from "fastify";
import { VERSION } from "../../version.ts";
import { REST_PREFIX } from "../rest/rest-api.ts";
import { referencePage, referencePolicy } from "./reference-page.ts";

/** Readers may keep the page for so long; it changes only with the program. */
const KEPT_SECONDS = 300;

/**
 * `/docs`: the reference page, open to everybody. It is made at the first request and kept.
 *
 * @param options.publicUrl how programs reach us, without a slash at the end
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
