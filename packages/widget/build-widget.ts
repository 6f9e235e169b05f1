/**
 * Builds what browsers load from `src/`: `dist/widget.js`, the frame's scripts under content hashes, its style, and the texts
 * of each language. The manifest is written last: if it exists, the build is complete.
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
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true, target: TARGET });
      return { contents: withShortVariables(code), loader: "text" };
    });
  },
};

/** Browsers of the last three years. */
const TARGET = ["chrome118", "firefox118", "safari17"];

/** Where the server writes the look of the widget. */
const LOOK_PLACE = "$LOOK";

type ShortNames = NonNullable<BuildOptions["mangleCache"]>;

interface Bundle {
  code: string;
  /** Of `MANGLED_NAMES`. */
  shortNames: ShortNames;
}

const source = (name: string) => fileURLToPath(new URL(`src/${name}`, import.meta.url));
const dist = fileURLToPath(new URL("dist/", import.meta.url));

/** The variables of the frame's style. Those of its document (`--accent`) are declared elsewhere. */
const ownVariables = [
  ...new Set([...readFileSync(source("frame/frame.css"), "utf8").matchAll(/(--[\w-]+): /g)].map(([, name]) => name)),
];

/** A text whose name ends so takes the place of another one on a server that sends no mail. */
const WITHOUT_MAIL = "WithoutMail";

for (const folder of ["languages", "languages-without-mail", "article-texts"])
  mkdirSync(dist + folder, { recursive: true });
const textNames = Object.keys(textsOf("en.json")).filter((name) => !name.endsWith(WITHOUT_MAIL));
const unusedTexts = new Set(textNames);
const [loader, app, style] = await Promise.all([
  bundle({
    entryPoints: [source("loader.ts")],
    format: "iife",
    plugins: [stylesAsText],
    define: { LOOK: JSON.stringify(LOOK_PLACE) },
  }),
  frameScript("app.tsx"),
  bundle({ entryPoints: [source("frame/frame.css")] }),
]);
// They share objects, so they need the same short names.
const onDemand = await frameScript("on-demand.ts", app.shortNames);
const articles = await frameScript("articles.tsx", onDemand.shortNames);
const ai = await frameScript("ai.tsx", articles.shortNames);
if (unusedTexts.size > 0) throw new Error(`Texts that are never shown: ${[...unusedTexts]}.`);
const names = {
  app: named("app", app.code),
  onDemand: named("on-demand", onDemand.code),
  articles: named("articles", articles.code),
  ai: named("ai", ai.code),
};

const isOld = (name: string) => /^(app|on-demand|articles|ai)-.*js$/.test(name) && !Object.values(names).includes(name);
for (const old of readdirSync(dist).filter(isOld)) rmSync(dist + old);
writeFileSync(`${dist}widget.js`, await shortened(loader.code, { sequences: false }));
writeFileSync(dist + names.app, app.code);
writeFileSync(dist + names.onDemand, onDemand.code);
writeFileSync(dist + names.articles, articles.code);
writeFileSync(dist + names.ai, ai.code);
writeFileSync(`${dist}frame.css`, withShortVariables(style.code));
for (const name of readdirSync(source("languages")).filter((file) => file.endsWith(".json"))) {
  const texts = textsOf(name);
  const withoutMail = textNames.map((each) => texts[each + WITHOUT_MAIL] ?? texts[each]);
  writeFileSync(`${dist}languages/${name}`, JSON.stringify(textNames.map((each) => texts[each])));
  writeFileSync(`${dist}languages-without-mail/${name}`, JSON.stringify(withoutMail));
  writeFileSync(`${dist}article-texts/${name}`, JSON.stringify(textsOf(`articles/${name}`)));
}
writeFileSync(`${dist}manifest.json`, JSON.stringify(names));

function textsOf(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(source(`languages/${file}`), "utf8"));
}

async function frameScript(file: string, mangleCache: ShortNames = {}): Promise<Bundle> {
  const { code, shortNames } = await bundle({
    entryPoints: [source(`frame/${file}`)],
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "#draw",
    plugins: [stylesAsText],
    mangleProps: new RegExp(`^(${MANGLED_NAMES.join("|")})$`),
    mangleCache,
  });
  return { code: await shortened(withNumberedTexts(code)), shortNames };
}

/** A name that changes with the content. */
function named(name: string, content: string): string {
  return `${name}-${createHash("sha256").update(content).digest("hex").slice(0, 12)}.js`;
}

/** A language is a list of texts without names: `t.$send` becomes `t[8]`. Shorter names are those of `MANGLED_NAMES`. */
function withNumberedTexts(code: string): string {
  return code.replace(/\.\$(\w{3,})/g, (_, name: string) => {
    if (!textNames.includes(name)) throw new Error(`There is no text "${name}".`);
    unusedTexts.delete(name);
    return `[${textNames.indexOf(name)}]`;
  });
}

function withShortVariables(css: string): string {
  const short = css.replaceAll(/(--[\w-]+)(: )?/g, (whole, name: string, declared?: string) => {
    const at = ownVariables.indexOf(name);
    return at < 0 ? whole : `--${at.toString(36)}${declared ? ":" : ""}`;
  });
  return short.trim();
}

async function bundle(options: BuildOptions): Promise<Bundle> {
  const { outputFiles, mangleCache: shortNames = {} } = await build({
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
  return { code: file.text, shortNames };
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
