import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { OperatorError } from "../../operator-error.ts";

/** A file under a hash of its content: it never changes, and may be cached for ever. */
export interface DashboardAsset {
  type: string;
  body: Buffer;
  /** Made at the first request; undefined for fonts, which are compressed already. */
  gzipped(): Buffer | undefined;
}

/** The output of `packages/dashboard/build-dashboard.ts`. */
export interface DashboardFiles {
  /** The one page. */
  page: string;
  /** The source in the security policy of the inline script, which sets light or dark before the first paint. */
  scriptHash: string;
  asset(name: string): DashboardAsset | undefined;
}

const DIST = new URL("../../../../dashboard/dist/", import.meta.url);

const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};
const COMPRESSED = new Set(["woff2"]);

/**
 * Reads the built dashboard completely: a build next to a running server removes nothing from it.
 *
 * @param root path that ours are below, with a slash at its end: `/`, or the prefix of a proxy
 * @throws OperatorError when it has not been built
 */
export function readDashboardFiles(root: string, dist: URL = DIST): DashboardFiles {
  const page = readPage(dist).replaceAll('"./assets/', `"${root}app/assets/`);
  const folder = new URL("assets/", dist);
  const assets = new Map(readdirSync(folder).map((name) => [name, readAsset(new URL(name, folder))]));
  return { page, scriptHash: scriptHash(page), asset: (name) => assets.get(name) };
}

function readPage(dist: URL): string {
  try {
    return readFileSync(new URL("index.html", dist), "utf8");
  } catch (cause) {
    const where = fileURLToPath(dist);
    throw new OperatorError(`The dashboard has not been built: ${where}index.html is missing. Run \`npm run build\`.`, {
      cause,
    });
  }
}

function scriptHash(page: string): string {
  const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
  return `sha256-${createHash("sha256").update(script).digest("base64")}`;
}

function readAsset(url: URL): DashboardAsset {
  const ending = url.pathname.split(".").at(-1) ?? "";
  const body = readFileSync(url);
  let gzipped: Buffer | undefined;
  return {
    type: TYPES[ending] ?? "application/octet-stream",
    body,
    gzipped() {
      if (!COMPRESSED.has(ending)) gzipped ??= gzipSync(body, { level: 9 });
      return gzipped;
    },
  };
}
