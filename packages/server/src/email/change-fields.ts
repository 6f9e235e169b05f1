/** What changing the settings of an e-mail account needs for each of its fields. */
import type { GivenReason } from "@frontdesk/core/domain/reasons";

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

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };
export const withoutUndefined = <T extends object>(given: T): Defined<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<T>;
