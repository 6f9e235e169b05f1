/**
 * Builds what browsers load from `src/`: `dist/widget.js`, the frame's script under a content hash, its style, and the texts of
 * each language. The manifest is written last: if it exists, the build is complete.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin, transform } from "esbuild";
import { type CompressOptions, minify } from "terser";
import { MANGLED_NAMES } from "./src/mangled-names.ts";

/** `import css from "./loader.css"` in a script is the minified text. */
const stylesAsText: Plugin = {
  name: "styles-as-text",
  setup({ onLoad }) {
    onLoad({ filter: /loader\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true, target: TARGET });
      return { contents: code.trim(), loader: "text" };
    });
  },
};

/** Browsers of the last three years. */
const TARGET = ["chrome118", "firefox118", "safari17"];

/** Where the server writes the look of the widget. */
const LOOK_PLACE = "$LOOK";

const source = (name: string) => fileURLToPath(new URL(`src/${name}`, import.meta.url));
const dist = fileURLToPath(new URL("dist/", import.meta.url));

mkdirSync(`${dist}languages`, { recursive: true });
const textNames = Object.keys(textsOf("en.json"));
const [loader, app, style] = await Promise.all([
  bundle({
    entryPoints: [source("loader.ts")],
    format: "iife",
    plugins: [stylesAsText],
    define: { LOOK: JSON.stringify(LOOK_PLACE) },
  }).then((code) => shortened(code, { sequences: false })),
  bundle({
    entryPoints: [source("frame/app.tsx")],
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "#draw",
    mangleProps: new RegExp(`^(${MANGLED_NAMES.join("|")})$`),
  }).then((code) => shortened(withNumberedTexts(code))),
  bundle({ entryPoints: [source("frame/frame.css")] }),
]);
const appName = `app-${createHash("sha256").update(app).digest("hex").slice(0, 12)}.js`;

for (const old of readdirSync(dist)) if (old.startsWith("app-") && old !== appName) rmSync(dist + old);
writeFileSync(`${dist}widget.js`, loader);
writeFileSync(dist + appName, app);
writeFileSync(`${dist}frame.css`, withShortVariables(style));
for (const name of readdirSync(source("languages")).filter((file) => file.endsWith(".json"))) {
  const texts = textsOf(name);
  writeFileSync(`${dist}languages/${name}`, JSON.stringify(textNames.map((each) => texts[each])));
}
writeFileSync(`${dist}manifest.json`, JSON.stringify({ app: appName }));

function textsOf(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(source(`languages/${file}`), "utf8"));
}

/** A language is a list of texts without names: `t.$send` becomes `t[8]`. */
function withNumberedTexts(code: string): string {
  const unused = new Set(textNames);
  const numbered = code.replace(/\.\$(\w+)/g, (_, name: string) => {
    if (!textNames.includes(name)) throw new Error(`There is no text "${name}".`);
    unused.delete(name);
    return `[${textNames.indexOf(name)}]`;
  });
  if (unused.size > 0) throw new Error(`Texts that are never shown: ${[...unused]}.`);
  return numbered;
}

/** Its own variables get short names; those of the frame's document (`--accent`) are declared elsewhere. */
function withShortVariables(css: string): string {
  const own = [...new Set([...css.matchAll(/(--[\w-]+): /g)].map(([, name]) => name))];
  const short = css.replaceAll(/(--[\w-]+)(: )?/g, (whole, name: string, declared?: string) => {
    const at = own.indexOf(name);
    return at < 0 ? whole : `--${at.toString(36)}${declared ? ":" : ""}`;
  });
  return short.trim();
}

async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    legalComments: "none",
    target: TARGET,
    // Not the types' settings: they would add a redundant "use strict".
    tsconfigRaw: {},
  });
  const [file] = outputFiles ?? [];
  if (!file) throw new Error("The build made no file.");
  return file.text;
}

/**
 * Minified again by another tool, which saves 4 % of the application. It may assume that reading a property has no side
 * effects, and that no method is used as a constructor (`unsafe_arrows`, `pure_getters`).
 */
async function shortened(code: string, more: CompressOptions = {}): Promise<string> {
  const { code: shorter } = await minify(code, {
    module: true,
    ecma: 2020,
    compress: {
      passes: 3,
      unsafe: true,
      unsafe_arrows: true,
      pure_getters: true,
      inline: 1,
      conditionals: false,
      ...more,
    },
  });
  return shorter ?? code;
}
