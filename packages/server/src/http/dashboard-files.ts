import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { OperatorError } from "../operator-error.ts";

/** A file under a name of its content: it never changes, and may be kept for ever. */
export interface DashboardAsset {
  type: string;
  body: Buffer;
  /** Undefined for what gains nothing: fonts and pictures are compressed already. */
  gzipped: Buffer | undefined;
}

/** What `packages/dashboard/build-dashboard.ts` has made. */
export interface DashboardFiles {
  /** The one page. */
  page: string;
  /** The security policy's name for the script inside it, which sets light or dark before the first paint. */
  scriptHash: string;
  asset(name: string): DashboardAsset | undefined;
}

const DIST = new URL("../../../dashboard/dist/", import.meta.url);

const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};
const COMPRESSED = new Set(["woff2"]);

/**
 * Reads the built dashboard; each asset when it is first asked for.
 *
 * @param root path that ours lie below, with a slash at its end: `/`, or what a proxy puts before it
 * @throws OperatorError when it has not been built
 */
export function readDashboardFiles(root: string, dist: URL = DIST): DashboardFiles {
  const page = readPage(dist).replaceAll('"./assets/', `"${root}app/assets/`);
  const names = new Set(readdirSync(new URL("assets/", dist)));
  const assets = new Map<string, DashboardAsset>();
  return {
    page,
    scriptHash: scriptHash(page),
    asset(name) {
      if (!names.has(name)) return undefined;
      const asset = assets.get(name) ?? readAsset(new URL(`assets/${name}`, dist));
      assets.set(name, asset);
      return asset;
    },
  };
}

function readPage(dist: URL): string {
  try {
    return readFileSync(new URL("index.html", dist), "utf8");
  } catch (cause) {
    const where = fileURLToPath(dist);
    throw new OperatorError(
      `The dashboard has not been built: ${where}index.html is missing. \`npm run build\` makes it.`,
      { cause },
    );
  }
}

function scriptHash(page: string): string {
  const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
  return `sha256-${createHash("sha256").update(script).digest("base64")}`;
}

function readAsset(url: URL): DashboardAsset {
  const ending = url.pathname.split(".").at(-1) ?? "";
  const body = readFileSync(url);
  return {
    type: TYPES[ending] ?? "application/octet-stream",
    body,
    gzipped: COMPRESSED.has(ending) ? undefined : gzipSync(body, { level: 9 }),
  };
}
