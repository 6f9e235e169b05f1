import { NAME_MAX } from "@frontdesk/core/contract/fields";
import { isEmailAddress } from "@frontdesk/core/domain/email-address";
import { because, type GivenReason } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { PasswordOwner } from "../access/guessable-password.ts";
import { passwordProblem } from "../access/password.ts";

/** Why a name (of a person, a team, a widget, a key) is not accepted, as a reason; undefined when it is. */
export function nameProblem(name: string): GivenReason | undefined {
  if (name.trim() === "") return "empty";
  if (name.length > NAME_MAX) return because("too-long", { max: NAME_MAX });
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) return "control-characters";
  return undefined;
}

/** Why an e-mail address is not accepted; undefined when it is. */
export function emailProblem(email: string): GivenReason | undefined {
  return isEmailAddress(email) ? undefined : "not-an-email";
}

/** @throws Refusal `invalid` with all of the problems, by field */
export function refuseProblems(problems: Record<string, GivenReason | undefined>): void {
  const found = Object.entries(problems).flatMap(([field, problem]) => (problem ? [[field, problem] as const] : []));
  if (found.length > 0) throw invalid(Object.fromEntries(found));
}

/**
 * A name without the white space around it.
 *
 * @throws Refusal `invalid` on `name`
 */
export function checkedName(name: string): string {
  const problem = nameProblem(name);
  if (problem) throw invalid({ name: problem });
  return name.trim();
}

/** @throws Refusal `invalid` on `field` for a password that is not accepted */
export function checkedPassword(password: string, field: string, owner: PasswordOwner): string {
  const problem = passwordProblem(password, owner);
  if (problem) throw invalid({ [field]: problem });
  return password;
}
