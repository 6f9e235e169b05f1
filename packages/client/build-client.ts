/**
 * `npm run build:client`: builds the published package in `dist/`: plain JavaScript for Node from 20 on and for browsers, and
 * the types. `npm pack ./packages/client/dist` packs it. Inside this repository the sources are used.
 *
 * Another output folder can be given as an argument.
 */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";

const here = import.meta.dirname;
const out = resolve(process.argv[2] ?? join(here, "dist"));
const own = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const entries: Record<string, string> = own.exports;

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
compile();
for (const file of globSync("**/*.{js,d.ts}", { cwd: out })) rewrite(join(out, file), pointed);
leaveOutWhatIsNeverLoaded();
cpSync(join(here, "README.md"), join(out, "README.md"));
cpSync(join(here, "../../LICENSE"), join(out, "LICENSE"));
writeFileSync(join(out, "package.json"), `${JSON.stringify(published(), null, 2)}\n`);

function compile(): void {
  const require = createRequire(import.meta.url);
  const typescript = require.resolve("typescript/package.json");
  const tsc = join(dirname(typescript), require(typescript).bin.tsc);
  const args = [tsc, "-p", join(here, "tsconfig.build.json"), "--outDir", out];
  execFileSync(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
}

/** Module names of packages and source files are replaced by the names of the built files. */
function pointed(text: string, file: string): string {
  const to = (module: string) => relative(dirname(file), join(out, "core/src", `${module}.js`));
  return text
    .replaceAll(/"@frontdesk\/core\/([\w/-]+)"/g, (_, module: string) => `"${to(module).replace(/^(?!\.)/, "./")}"`)
    .replaceAll(/"(\.{1,2}\/[\w./-]+)\.ts"/g, '"$1.js"');
}

/** The client uses only the types of the contract: none of its code is loaded. */
function leaveOutWhatIsNeverLoaded(): void {
  const loaded = new Set<string>();
  const follow = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/ from "(\.[^"]+)";$/gm)) {
      follow(resolve(dirname(file), name));
    }
  };
  for (const source of Object.values(entries)) follow(join(out, built(source)));
  for (const file of globSync("**/*.js", { cwd: out })) if (!loaded.has(join(out, file))) rmSync(join(out, file));
}

function built(source: string): string {
  return join("client", source.replace(/\.ts$/, ".js"));
}

function published(): object {
  const { name, version, license, type } = own;
  const { typebox } = JSON.parse(readFileSync(join(here, "../core/package.json"), "utf8")).dependencies;
  const exports = Object.entries(entries).map(([entry, source]) => {
    const code = `./${built(source)}`;
    return [entry, { types: code.replace(/\.js$/, ".d.ts"), default: code }];
  });
  return {
    ...{ name, version, license, type, sideEffects: false, engines: { node: ">=20" } },
    exports: Object.fromEntries(exports),
    // Only the types of this as well.
    dependencies: { typebox },
  };
}

function rewrite(file: string, change: (text: string, file: string) => string): void {
  writeFileSync(file, change(readFileSync(file, "utf8"), file));
}
