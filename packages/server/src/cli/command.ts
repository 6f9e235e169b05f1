import type { Settings } from "../config.ts";

/** One command of the command line. */
export interface Command {
  /** As it is typed: `key create`. */
  name: string;
  summary: string;
  options: Options;
  run(values: Record<string, string | undefined>, surroundings: Surroundings): Promise<void>;
}

/** What a command gets besides its options. */
export interface Surroundings {
  settings: Settings;
  print(answer: Answer): void;
}

/** What a command says: to a program (`--json`, one line) and to a person. */
export interface Answer {
  json: object;
  text: string;
}

export interface Option {
  /** What stands for the value in the help: `ID`. */
  value: string;
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
  run(values: ValuesOf<O>, surroundings: Surroundings): Promise<void>;
}): Command {
  return command as Command;
}

/** Asked for in a way that cannot be understood: the command line ends with code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The team a command is about, where it may be left out. */
export const teamOption = {
  value: "ID",
  help: "The team; may be left out while there is only one.",
} as const satisfies Option;
