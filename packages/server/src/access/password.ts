import { because, type GivenReason } from "@frontdesk/core/domain/reasons";
import { hash, verify } from "@node-rs/argon2";
import { isGuessable, isPersonal, type PasswordOwner } from "./guessable-password.ts";

/** OWASP's recommendation for argon2id: 19 MiB, 2 passes, 1 lane (about 20 ms). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Bounds of a password, in characters: long enough to resist guessing, short enough not to be a load (ASVS 6.2). */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

/** The argon2id hash of a password, with its salt and parameters (PHC string). Runs in a thread, not in the event loop. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), COST);
}

/** Whether `password` fits the hash. */
export function passwordFits(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password.normalize("NFKC"));
}

/**
 * Why a password is not accepted; undefined when it is.
 *
 * @param owner what is known of that person
 */
export function passwordProblem(password: string, owner: PasswordOwner = {}): GivenReason | undefined {
  const length = [...password].length;
  if (length < PASSWORD_MIN) return because("password-too-short", { min: PASSWORD_MIN });
  if (length > PASSWORD_MAX) return because("password-too-long", { max: PASSWORD_MAX });
  if (isGuessable(password)) return "password-guessable";
  if (isPersonal(password, owner)) return "password-personal";
  return undefined;
}
