import type { SetupState } from "@frontdesk/core/contract/session";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { invitationLink } from "../../agents/invitation-link.ts";
import { setupLink } from "../../setup/setup-token.ts";
import type { RawQuery } from "../framework/query-string.ts";
import { answerPageError } from "./answer-page-error.ts";
import { type DashboardAsset, type DashboardFiles, readDashboardFiles } from "./dashboard-files.ts";
import { en } from "./locales/en.ts";
import { sendPlainPage } from "./page.ts";

/** Every address below `/app` but those of its API and its files, whose unknown addresses are no pages. */
const SCREEN = "/app/:screen(^(?!(?:api|assets)$).+$)";
const PAGES = ["/app", "/app/", SCREEN, `${SCREEN}/*`];

const YEAR_SECONDS = 31_536_000;

interface DashboardRouteServices {
  /** The public address for agents, without a slash at the end. */
  publicUrl: string;
  setupState(token: string): Promise<SetupState>;
}

/**
 * The dashboard (docs/decisions/0027-dashboard.md): one page at every address of its screens, and the files it loads. Without a
 * team, every address leads to the set-up.
 */
export async function dashboardRoutes(
  app: FastifyInstance,
  { publicUrl, setupState }: DashboardRouteServices,
): Promise<void> {
  app.setErrorHandler(answerPageError(en));
  const root = `${new URL(publicUrl).pathname.replace(/\/$/, "")}/`;
  // Read at the first request, so that commands and tests without a browser need no build.
  let read: DashboardFiles | undefined;
  const files = () => {
    read ??= readDashboardFiles(root);
    return read;
  };
  // A team stays: the database is asked until there is one.
  let isSetUp = false;

  app.get("/", (_request, reply) => reply.redirect(`${root}app`));

  // Links that earlier versions printed and sent.
  app.get("/setup", (request, reply) => {
    const { token } = request.query as RawQuery;
    return reply.redirect(setupLink(root.slice(0, -1), typeof token === "string" ? encodeURIComponent(token) : ""));
  });
  app.get<{ Params: { token: string } }>("/join/:token", (request, reply) =>
    reply.redirect(invitationLink(root.slice(0, -1))(encodeURIComponent(request.params.token))),
  );

  for (const url of PAGES) {
    // Queries are the dashboard's own: none is refused here.
    app.get<{ Params: { screen?: string } }>(url, { config: { readsQuery: false } }, async ({ params }, reply) => {
      isSetUp ||= (await setupState("")) === "done";
      if (!isSetUp && params.screen !== "setup") return reply.redirect(`${root}app/setup`);
      return sendPage(reply, files());
    });
  }

  app.get<{ Params: { name: string } }>("/app/assets/:name", (request, reply) => {
    const asset = files().asset(request.params.name);
    if (!asset) return sendPlainPage(reply, 404, en.lang, en.dashboardFileGone);
    return sendAsset(request, reply, asset);
  });
}

function sendPage(reply: FastifyReply, { page, scriptHash }: DashboardFiles): FastifyReply {
  return reply
    .headers({
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy(scriptHash),
      "Cache-Control": "no-store",
      "X-Frame-Options": "DENY",
      "Cross-Origin-Opener-Policy": "same-origin",
      "X-Robots-Tag": "noindex",
    })
    .send(page);
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, body, gzipped }: DashboardAsset) {
  reply.headers({
    "Content-Type": type,
    "Cache-Control": `public, max-age=${YEAR_SECONDS}, immutable`,
    Vary: "Accept-Encoding",
  });
  const small = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "") ? gzipped() : undefined;
  return small ? reply.header("Content-Encoding", "gzip").send(small) : reply.send(body);
}

/**
 * What the browser may do with the dashboard: run our scripts, talk to us, show pictures of agents and visitors from anywhere,
 * and the widget, to preview it.
 */
function policy(scriptHash: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' '${scriptHash}'`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' https: blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
