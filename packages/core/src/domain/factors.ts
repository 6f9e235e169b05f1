/** Second factors of agents: who must have one, and what they are called (docs/decisions/0069-ways-in.md). */
import { type AgentRole, isOfRank } from "./agent.ts";

/** Who must have a second factor. */
export const factorRules = ["nobody", "admins", "everybody"] as const;
export type FactorRule = (typeof factorRules)[number];

/** Whether an agent of this role must have a second factor. Owners count as admins. */
export function mustHaveFactor(rule: FactorRule, role: AgentRole): boolean {
  switch (rule) {
    case "nobody":
      return false;
    case "admins":
      return isOfRank(role, "admin");
    case "everybody":
      return true;
    default:
      return rule satisfies never;
  }
}

/** How far a session reaches: without a required factor it can only add one. */
export const sessionReaches = ["everything", "enrolment"] as const;
export type SessionReach = (typeof sessionReaches)[number];

export const PASSKEY_NAME_MAX = 60;

/** How long a trusted browser is spared the second step. */
export const TRUST_LIFE_MS = 30 * 24 * 60 * 60_000;
/** How many recovery codes an agent gets at once. */
export const RECOVERY_CODES = 10;
/** From here on the dashboard asks for new ones. */
export const FEW_RECOVERY_CODES = 3;
