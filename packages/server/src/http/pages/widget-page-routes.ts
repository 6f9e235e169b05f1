import { randomBytes } from "node:crypto";
import { formatLocale } from "@frontdesk/core/domain/format-locale";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { bestWidgetLanguage, widgetThemes } from "@frontdesk/core/domain/widget-settings";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SystemActor } from "../../access/actor.ts";
import type { Operation } from "../../context.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import type { Perform } from "../../perform.ts";
import { noteWidgetSeen } from "../../widgets/note-widget-seen.ts";
import { showWidget } from "../../widgets/show-widget.ts";
import { showWidgetLook } from "../../widgets/show-widget-look.ts";
import type { RawQuery } from "../framework/query-string.ts";
import { acceptedLanguages } from "./accepted-languages.ts";
import { answerPageError } from "./answer-page-error.ts";
import { demoPage, demoPolicy } from "./demo-page.ts";
import { framePage, framePolicy } from "./frame-page.ts";
import { en } from "./locales/en.ts";
import { sendGonePage, sendPlainPage } from "./page.ts";
import { readWidgetFiles, type WidgetFile, type WidgetFiles } from "./widget-files.ts";
import { widgetSightings } from "./widget-sightings.ts";

/** How long sites may cache the loader; after that they check whether it has changed. */
const LOADER_KEPT_SECONDS = 300;
const YEAR_SECONDS = 31_536_000;
const NONCE_BYTES = 16;

interface WidgetPageServices {
  perform: Perform;
  authenticate: { teamOfWidget(widgetId: string): Promise<SystemActor> };
  bounds: StrangerBounds;
  /** The public address for visitors, without a slash at the end. */
  publicUrl: string;
  /** Largest file that a visitor may send, in bytes. */
  fileMax: number;
  /** Whether e-mail can be sent. */
  mail: boolean;
}

/** Everything that a browser loads of the widget: the loader, the frame with its script, and the page to try it on. */
export async function widgetPageRoutes(
  app: FastifyInstance,
  { perform, authenticate, bounds, publicUrl, fileMax, mail }: WidgetPageServices,
): Promise<void> {
  app.setErrorHandler(answerPageError(en));
  app.addHook("onRequest", ({ ip }) => bounds.take({ address: ip }, { "widget-pages": 1 }));
  // Read at the first request, so that commands and tests without a browser need no build.
  let read: WidgetFiles | undefined;
  const files = () => {
    read ??= readWidgetFiles();
    return read;
  };
  const sightings = widgetSightings({
    publicUrl,
    now: () => performance.now(),
    async note(widgetId, { site }) {
      const actor = await unlessUnknown(authenticate.teamOfWidget(widgetId));
      if (actor) await perform(actor, noteWidgetSeen, { widgetId, site });
    },
    onTrouble: (err) => app.log.warn({ err }, "Cannot record that a page has loaded a widget."),
  });

  app.get("/widget.js", async (request, reply) => {
    const { widget } = request.query as RawQuery;
    // Pages that isolate themselves (cross-origin isolation) may load it as well, and older tags import it.
    reply.headers({ "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*" });
    const cacheControl = `public, max-age=${LOADER_KEPT_SECONDS}`;
    if (typeof widget !== "string") return sendScript(request, reply, files().loaderOfTag, cacheControl);
    sightings.look(request, widget);
    const look = await find(widget, showWidgetLook);
    return sendScript(request, reply, look ? files().loader(look) : files().noLoader, cacheControl);
  });

  app.get<{ Params: { name: string } }>("/widget-assets/:name", (request, reply) => {
    const { app, onDemand, articles, ai } = files();
    const script = [app, onDemand, articles, ai].find(({ name }) => name === request.params.name);
    if (!script) return sendPlainPage(reply, 404, en.lang, en.widgetFileGone);
    return sendScript(request, reply, script, `public, max-age=${YEAR_SECONDS}, immutable`);
  });

  app.get<{ Params: { widget: string } }>("/frame/:widget", async (request, reply) => {
    const widget = await find(request.params.widget, showWidget);
    if (!widget) return sendGonePage(reply, en.lang, en.widgetUnknown);
    sightings.look(request, widget.id);
    const { asked, accepted } = languagesOf(request);
    const language = bestWidgetLanguage([...asked, ...accepted]);
    // The visitor's own region counts before the page's.
    const locale = formatLocale(language, [...accepted, ...asked]);
    const { style, app, onDemand, articles, ai, texts, articleTexts } = files();
    const { theme: askedTheme } = request.query as RawQuery;
    const theme = widgetThemes.find((each) => each === askedTheme) ?? widget.settings.theme;
    const nonce = randomBytes(NONCE_BYTES).toString("base64");
    return reply
      .headers({
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": framePolicy(nonce, widget.settings.sites),
        "Cache-Control": "no-store",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "X-Robots-Tag": "noindex",
      })
      .send(
        framePage({
          ...{ widget, language, locale, theme, nonce, style, fileMax, mail },
          script: app.name,
          onDemand: onDemand.name,
          aiScript: ai.name,
          texts: texts(language, { mail }),
          articles: widget.suggestsArticles ? { script: articles.name, texts: articleTexts(language) } : null,
        }),
      );
  });

  app.get<{ Params: { widget: string } }>("/demo/:widget", async (request, reply) => {
    const widget = await find(request.params.widget, showWidget);
    if (!widget) return sendPlainPage(reply, 404, en.lang, en.widgetUnknown);
    return reply
      .headers({
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": demoPolicy(),
        "Cache-Control": "no-store",
        "X-Frame-Options": "DENY",
        "X-Robots-Tag": "noindex",
      })
      .send(demoPage({ widget, publicUrl }));
  });

  async function find<Shown>(id: string, show: Operation<{ widgetId: string }, Shown>): Promise<Shown | undefined> {
    return unlessUnknown(authenticate.teamOfWidget(id).then((actor) => perform(actor, show, { widgetId: id })));
  }
}

async function unlessUnknown<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Refusal && error.reason.name === "not-found") return undefined;
    throw error;
  }
}

/** The language that the page asks for, if it does, and those of the browser. */
function languagesOf(request: FastifyRequest): { asked: string[]; accepted: string[] } {
  const { lang } = request.query as RawQuery;
  return { asked: typeof lang === "string" ? [lang] : [], accepted: acceptedLanguages(request) };
}

function sendScript(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, gzipped, etag }: WidgetFile,
  cacheControl: string,
): FastifyReply {
  const gzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  const tag = gzip ? `"${etag}-gzip"` : `"${etag}"`;
  reply.headers({ "Cache-Control": cacheControl, ETag: tag, Vary: "Accept-Encoding" });
  if (request.headers["if-none-match"] === tag) return reply.code(304).send();
  reply.header("Content-Type", "text/javascript; charset=utf-8");
  return gzip ? reply.header("Content-Encoding", "gzip").send(gzipped) : reply.send(text);
}
