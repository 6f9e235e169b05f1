import type { Settings } from "../config.ts";
import type { Progress } from "../progress.ts";

/** One command of the command line. */
export interface Command {
  /** As typed: `key create`. */
  name: string;
  summary: string;
  options: Options;
  run(values: Record<string, string | undefined>, surroundings: Surroundings): Ending;
}

/** How a command ended after its answer: `failed` is code 1, for a check that found a problem. */
export type Ending = Promise<void> | Promise<"failed" | undefined>;

/** What a command gets besides its options. */
export interface Surroundings {
  /** Read at first use; throws an OperatorError when settings are wrong. */
  readonly settings: Settings;
  /** The environment that the settings are read from. */
  env: Readonly<Record<string, string | undefined>>;
  print(answer: Answer): void;
  /** Shows progress to a person: on a terminal, and without `--json`. */
  progress(what: string): Progress;
}

/** The output of a command: for a program (`--json`, one line) and for a person. */
export interface Answer {
  json: object;
  text: string;
}

export interface Option {
  /** The placeholder of the value in the help: `ID`. Undefined: a switch, which takes no value and reads as `on`. */
  value?: string;
  help: string;
  required?: true;
  /** Written without its name: `frontdesk team update ID`. */
  positional?: true;
}

export type Options = Readonly<Record<string, Option>>;

export type ValuesOf<O extends Options> = {
  [K in keyof O]: O[K] extends { required: true } ? string : string | undefined;
};

/** Declares a command; `run-command.ts` has read and checked its options before it runs. */
export function defineCommand<const O extends Options>(command: {
  name: string;
  summary: string;
  options: O;
  run(values: ValuesOf<O>, surroundings: Surroundings): Ending;
}): Command {
  return command as Command;
}

/** A command line that cannot be parsed: it ends with code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The team of a command, where it may be left out. */
export const teamOption = {
  value: "ID",
  help: "The team. Optional if there is only one.",
} as const satisfies Option;

/** The same, for commands that name a thing by its id. */
export const teamOfIdOption = {
  value: "ID",
  help: "The team. Optional, because the ID identifies it.",
} as const satisfies Option;
