import { createInterface } from "node:readline";
import { type GivenReason, sentenceOf } from "@frontdesk/core/domain/reasons";
import type { PasswordOwner } from "../access/guessable-password.ts";
import { hashPassword, passwordProblem } from "../access/password.ts";
import { emailProblem, nameProblem } from "../setup/person-fields.ts";
import { UsageError } from "./command.ts";

/** @throws UsageError when the value of `option` is not a name */
export function readName(option: string, value: string): string {
  return accepted(option, value.trim(), nameProblem);
}

/** @throws UsageError when the value of `--email` is not an e-mail address */
export function readEmail(value: string): string {
  return accepted("--email", value.trim(), emailProblem);
}

/** The hash of the password, which is read from the first line of standard input for `-`: other users can see options. */
export async function readPassword(value: string, owner: PasswordOwner): Promise<string> {
  const password = value === "-" ? await firstInputLine() : value;
  return hashPassword(accepted("--password", password, (text) => passwordProblem(text, owner)));
}

function accepted(option: string, value: string, problemOf: (value: string) => GivenReason | undefined): string {
  const problem = problemOf(value);
  if (problem) throw new UsageError(`${option}: ${sentenceOf(problem)}`);
  return value;
}

async function firstInputLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  return "";
}
