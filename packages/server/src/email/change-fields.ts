/** What changing the settings of an e-mail account needs for each of its fields. */
import { because, type GivenReason } from "@frontdesk/core/domain/reasons";
import { distinctAddresses, readAddress } from "./rules/mail-address.ts";

/** By the paths of fields, `settings.inbound.host`. */
export type Problems = Record<string, GivenReason>;

export function setSecret(secrets: Record<string, string>, name: string, given: string | null | undefined): void {
  if (given === null) delete secrets[name];
  else if (given !== undefined) secrets[name] = given;
}

/** A line break would end a command of the protocol. */
export function refuseUnsafe(given: Record<string, string | null | undefined>, path: string, problems: Problems): void {
  for (const [name, value] of Object.entries(given)) {
    if (value && isUnsafe(value)) problems[`${path}.${name}`] = "control-characters";
  }
}

export const isUnsafe = (text: string) => /\p{Cc}/u.test(text);

/** Wrong addresses that are named in a problem. */
const NAMED_MAX = 3;
/** Longest part of one that is named. */
const NAMED_LENGTH = 100;

/** A list of addresses in the form that is stored, each once. Those that are none are named in the problem of the field. */
export function changeAddresses(
  given: readonly string[] | undefined,
  path: string,
  problems: Problems,
): string[] | undefined {
  if (given === undefined) return undefined;
  const wrong = given.filter((text) => readAddress(text) === undefined).slice(0, NAMED_MAX);
  const named = wrong.map((text) =>
    text
      .slice(0, NAMED_LENGTH)
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, " ")
      .trim(),
  );
  if (wrong.length > 0) problems[path] = because("not-emails", { addresses: named.join(", ") });
  return distinctAddresses(given.map((address) => ({ name: null, address }))).map(({ address }) => address);
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };
export const withoutUndefined = <T extends object>(given: T): Defined<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<T>;
