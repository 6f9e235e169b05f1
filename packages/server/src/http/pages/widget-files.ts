import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { OperatorError } from "../../operator-error.ts";
import type { WidgetLook } from "../../widgets/show-widget-look.ts";

/** A file of the widget, ready to be sent. */
export interface WidgetFile {
  text: string;
  gzipped: Buffer;
  /** A strong ETag of the text; the gzipped form has its own. */
  etag: string;
}

/** Its name changes with its content. */
export type NamedScript = WidgetFile & { name: string };

/** The output of `packages/widget/build-widget.ts`. */
export interface WidgetFiles {
  loader(look: WidgetLook): WidgetFile;
  /** What a tag loads whose address does not name its widget: it loads the loader of the widget in its attribute. */
  loaderOfTag: WidgetFile;
  /** What the tag of an unknown widget loads. */
  noLoader: WidgetFile;
  /** The scripts of the frame: the first one, the one that it loads on demand, and the one for widgets that suggest articles. */
  app: NamedScript;
  onDemand: NamedScript;
  articles: NamedScript;
  /** For conversations with the AI. */
  ai: NamedScript;
  style: string;
  /** The texts of a language, as JSON, for a server that sends mail or one that does not. */
  texts(language: string, options: { mail: boolean }): string;
  /** Those of the script for articles. */
  articleTexts(language: string): string;
}

/** Where the loader has the rule of its look (`packages/widget/build-widget.ts`). */
const LOOK_PLACE = "$LOOK";
/** Looks whose loader is kept in memory, some 5 kB each. */
const MOST_LOOKS = 1_000;

/**
 * Tags without the widget in their address are older than this. An import needs no permission beyond that for the script itself,
 * also on pages that require trusted types. Until it has loaded, calls of the page wait.
 */
const LOADER_OF_TAG =
  "window.Frontdesk||=function(){(Frontdesk.q||=[]).push(arguments)};" +
  'var t=document.currentScript;import(new URL("widget.js?widget="+encodeURIComponent(t.dataset.widget),t.src))';

/** What a page gets for a widget that does not exist, or no longer: no button, and its calls do nothing. */
const NO_LOADER =
  'window.Frontdesk||=function(){};console.warn("Frontdesk: there is no widget with the ID in this tag.")';

const DIST = new URL("../../../../widget/dist/", import.meta.url);

/**
 * Reads the built widget.
 *
 * @throws OperatorError when it has not been built
 */
export function readWidgetFiles(dist: URL = DIST): WidgetFiles {
  const names = JSON.parse(read(dist, "manifest.json")) as Record<"app" | "onDemand" | "articles" | "ai", string>;
  const script = (name: string): NamedScript => ({ name, ...widgetFile(read(dist, name)) });
  const kept = new Map<string, string>();
  const textsIn = (name: string) => {
    const texts = kept.get(name) ?? read(dist, name);
    kept.set(name, texts);
    return texts;
  };
  const loader = read(dist, "widget.js");
  const loaders = new Map<string, WidgetFile>();
  return {
    loader(look) {
      const rule = lookRule(look);
      const known = loaders.get(rule);
      if (known) return known;
      const fresh = widgetFile(loader.replace(LOOK_PLACE, rule));
      if (loaders.size >= MOST_LOOKS) loaders.clear();
      loaders.set(rule, fresh);
      return fresh;
    },
    loaderOfTag: widgetFile(LOADER_OF_TAG),
    noLoader: widgetFile(NO_LOADER),
    app: script(names.app),
    onDemand: script(names.onDemand),
    articles: script(names.articles),
    ai: script(names.ai),
    style: read(dist, "frame.css"),
    texts: (language, { mail }) => textsIn(`${mail ? "languages" : "languages-without-mail"}/${language}.json`),
    articleTexts: (language) => textsIn(`article-texts/${language}.json`),
  };
}

/** The colors are `#rrggbb`: the settings accept nothing else. */
function lookRule({ color, ink, position }: WidgetLook): string {
  const side = position === "start" ? "20px auto" : "auto 20px";
  return `:host{--color:${color};--ink:${ink};inset-inline:${side}!important}`;
}

function widgetFile(text: string): WidgetFile {
  const etag = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  return { text, gzipped: gzipSync(text, { level: 9 }), etag };
}

function read(dist: URL, name: string): string {
  try {
    return readFileSync(new URL(name, dist), "utf8");
  } catch (cause) {
    const where = fileURLToPath(dist);
    throw new OperatorError(`The widget has not been built: ${where}${name} is missing. Run \`npm run build\`.`, {
      cause,
    });
  }
}
