import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerPageError } from "./answer-page-error.ts";
import { type DashboardAsset, type DashboardFiles, readDashboardFiles } from "./dashboard-files.ts";
import { en } from "./locales/en.ts";
import { sendPlainPage } from "./page.ts";

/** The addresses of the page below `/app`. Listed one by one, so that an unknown address of `/app/api` is not among them. */
const PAGES = [
  "",
  "inbox",
  "contacts",
  "knowledge",
  "settings",
  "start",
  "sign-in",
  "forgot-password",
  "reset-password",
  "join",
];

const YEAR_SECONDS = 31_536_000;

/**
 * The dashboard (docs/decisions/0027-dashboard.md): one page at every address of its screens, and the files it loads.
 *
 * @param publicUrl the public address for agents, without a slash at the end
 */
export async function dashboardRoutes(app: FastifyInstance, { publicUrl }: { publicUrl: string }): Promise<void> {
  app.setErrorHandler(answerPageError(en));
  const root = `${new URL(publicUrl).pathname.replace(/\/$/, "")}/`;
  // Read at the first request, so that commands and tests without a browser need no build.
  let read: DashboardFiles | undefined;
  const files = () => {
    read ??= readDashboardFiles(root);
    return read;
  };

  app.get("/", (_request, reply) => reply.redirect(`${root}app`));

  for (const page of PAGES) {
    const address = page === "" ? "/app" : `/app/${page}`;
    app.get(address, (_request, reply) => sendPage(reply, files()));
    if (page !== "") app.get(`${address}/*`, (_request, reply) => sendPage(reply, files()));
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
