/** The options of benchmarks. `--help` prints the comment that the benchmark's file begins with. */
import { readFileSync } from "node:fs";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

const flag = { type: "boolean", default: false } as const;

/** Those that most of them have. */
const usual = {
  quick: flag,
  json: flag,
  engine: { type: "string" },
  only: { type: "string", default: "" },
} as const;
type Usual = typeof usual;

const ENGINES = ["sqlite", "postgres"];
const NUMBER = /^[1-9]\d*$/;

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: Options }>>["values"];

/**
 * What the benchmark was started with. With `--help`, or with options that it does not have, the process ends here.
 *
 * @param own besides the usual ones
 */
export function readOptions<Name extends keyof Usual, Own extends ParseArgsOptionsConfig = Record<never, never>>(
  names: readonly Name[],
  own?: Own,
): Values<Pick<Usual, Name> & Own> {
  const [, file = "", ...args] = process.argv;
  if (args.includes("--help")) {
    console.log(helpOf(readFileSync(file, "utf8")));
    process.exit();
  }
  try {
    return parseOptions(args, names, own);
  } catch (error) {
    console.error(`${(error as Error).message}\n--help tells which options there are.`);
    process.exit(1);
  }
}

/** @throws Error for an option that is not there, or has no such value */
export function parseOptions<Name extends keyof Usual, Own extends ParseArgsOptionsConfig = Record<never, never>>(
  args: string[],
  names: readonly Name[],
  own?: Own,
): Values<Pick<Usual, Name> & Own> {
  const options: ParseArgsOptionsConfig = { ...Object.fromEntries(names.map((name) => [name, usual[name]])), ...own };
  const { values } = parseArgs({ args, options });
  const { engine } = values;
  if (typeof engine === "string" && !ENGINES.includes(engine)) throw new Error(`--engine is ${ENGINES.join(" or ")}.`);
  for (const [name, { default: usually }] of Object.entries(options)) {
    // What is a number by default is always one.
    const isCount = NUMBER.test(String(usually));
    if (isCount && !NUMBER.test(String(values[name])))
      throw new Error(`--${name} is a whole number, such as ${usually}.`);
  }
  return values as never;
}

/** The comment at the beginning of a source, without its stars. */
export function helpOf(source: string): string {
  const [, comment = ""] = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(source) ?? [];
  return comment.replaceAll(/^ \* ?/gm, "");
}
