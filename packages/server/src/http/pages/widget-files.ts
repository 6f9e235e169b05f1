import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { OperatorError } from "../../operator-error.ts";

/** A file of the widget, ready to be sent. */
export interface WidgetFile {
  text: string;
  gzipped: Buffer;
  /** A strong ETag of the text; the gzipped form has its own. */
  etag: string;
}

/** The output of `packages/widget/build-widget.ts`. */
export interface WidgetFiles {
  loader: WidgetFile;
  /** The script of the frame; its name changes with its content. */
  app: WidgetFile & { name: string };
  style: string;
  /** The texts of a language, as JSON. */
  texts(language: string): string;
}

const DIST = new URL("../../../../widget/dist/", import.meta.url);

/**
 * Reads the built widget.
 *
 * @throws OperatorError when it has not been built
 */
export function readWidgetFiles(dist: URL = DIST): WidgetFiles {
  const { app } = JSON.parse(read(dist, "manifest.json")) as { app: string };
  const languages = new Map<string, string>();
  return {
    loader: widgetFile(read(dist, "widget.js")),
    app: { name: app, ...widgetFile(read(dist, app)) },
    style: read(dist, "frame.css"),
    texts(language) {
      const texts = languages.get(language) ?? read(dist, `languages/${language}.json`);
      languages.set(language, texts);
      return texts;
    },
  };
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
