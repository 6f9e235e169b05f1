import { inkOn, mix, readableOn } from "@frontdesk/core/domain/readable-color";
import type { WidgetLanguage, WidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { ownPhoto } from "../../conversations/present-face.ts";
import type { ShownWidget } from "../../widgets/show-widget.ts";
import { html, ownFile } from "./page.ts";

/** The backgrounds of `frame.css` on which colors have to be readable. */
const GROUNDS = { light: "#ffffff", dark: "#15171b" };
/** How much of the background is in a soft color. */
const SOFT = 0.88;

/**
 * The document in the widget's iframe. Everything it needs besides its script is inline, so that it takes two requests.
 *
 * @param options.locale in which dates, times and numbers are written
 * @param options.texts the texts of the language, as JSON
 * @param options.fileMax largest accepted file, in bytes
 * @param options.mail whether the server sends mail
 * @param options.script the script's name below `/widget-assets/`
 * @param options.onDemand the name of the script that it loads on demand
 * @param options.aiScript the name of the script for conversations with the AI
 * @param options.articles where articles are suggested: the name of the script for it, and its texts, as JSON
 */
export function framePage(options: {
  widget: ShownWidget;
  language: WidgetLanguage;
  locale: string;
  theme: WidgetSettings["theme"];
  nonce: string;
  style: string;
  script: string;
  onDemand: string;
  aiScript: string;
  texts: string;
  articles: { script: string; texts: string } | null;
  fileMax: number;
  mail: boolean;
}): string {
  const { widget, language, theme, nonce, style, script } = options;
  const direction = language === "ar" ? "rtl" : "ltr";
  return html`<!doctype html>
<html lang="${language}" dir="${direction}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<title>${widget.teamName}</title>
<style nonce="${nonce}">${ownFile(colors(widget.settings.color))}${ownFile(style)}</style>
<script type="application/json" id="config">${ownFile(config(options))}</script>
<script type="module" nonce="${nonce}" src="../widget-assets/${script}"></script>
</head>
<body></body>
</html>
`.text;
}

/**
 * What the browser may do with the frame: run its one script and what that imports, talk to us, show pictures of agents, and those
 * that the visitor has chosen.
 *
 * @param sites origins of the pages that may show it; none means every page
 */
export function framePolicy(nonce: string, sites: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' https: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${sites.length === 0 ? "*" : ["'self'", ...sites].join(" ")}`,
  ].join("; ");
}

/** `FrameConfig` of the widget's `frame/frame-config.ts`, safe within a script element. */
function config({
  widget,
  language,
  locale,
  onDemand,
  aiScript,
  texts,
  articles,
  fileMax,
  mail,
}: Parameters<typeof framePage>[0]): string {
  const { settings } = widget;
  return JSON.stringify({
    widget: widget.id,
    team: widget.teamName,
    language,
    locale,
    greeting: settings.greetings[language] ?? null,
    ask: { name: settings.ask_name, email: settings.ask_email, rating: settings.ask_rating },
    hours: widget.hours,
    onDemandScript: `./${onDemand}`,
    articles: articles && { script: `./${articles.script}`, texts: JSON.parse(articles.texts) },
    aiScript: `./${aiScript}`,
    ai: widget.ai,
    mail,
    fileMax,
    online: widget.online.map((agent) => ({ name: agent.name, photo: ownPhoto(agent) })),
    texts: JSON.parse(texts),
  }).replaceAll("<", "\\u003c");
}

/** The owner's color as custom properties, light and dark. It is `#rrggbb`: the settings accept nothing else. */
function colors(color: string): string {
  const theme = (ground: string) =>
    `--accent-text:${readableOn(ground, color)};--accent-soft:${mix(color, ground, SOFT)};`;
  return (
    `:root{--accent:${color};--on-accent:${inkOn(color)};--accent-over:${mix(color, inkOn(color), 0.14)};` +
    `${theme(GROUNDS.light)}}` +
    `:root[data-theme=dark]{${theme(GROUNDS.dark)}}` +
    `@media(prefers-color-scheme:dark){:root[data-theme=auto]{${theme(GROUNDS.dark)}}}`
  );
}
