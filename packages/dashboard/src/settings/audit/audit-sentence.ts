import type { AuditEntry } from "@frontdesk/core/contract/session";
import type { AgentRole } from "@frontdesk/core/domain/agent";
import type { AuditedOperation } from "@frontdesk/core/domain/policy";
import { agentName } from "../../texts/agent-name.ts";
import { t } from "../../texts/texts.ts";

const SSO_REFUSALS = [
  "no-email",
  "email-unproven",
  "domain-unproven",
  "no-agent",
  "deactivated",
  "other-account",
  "off",
] as const;

type Line = Pick<AuditEntry, "action" | "what">;

/**
 * What a line of the audit log says was done, without the actor: the object comes first, so that the sentence is correct in
 * every language, whatever the name. A newer server may have actions without a text here.
 */
export function auditSentence({ action, what }: Line): string {
  const thing = thingIn(what);
  const values = { name: nameOf(thing), before: nameOf(what.before), role: roleOf(thing) };
  switch (action as AuditedOperation) {
    case "sign-in-with-passkey":
      return what.outcome ? t("audit.did.sign-in-with-passkey.fell", values) : plainSentence(action, values);
    case "verify-session":
      return what.outcome ? t("audit.did.verify-session.wrong") : plainSentence(action, values);
    case "finish-second-step":
      return what.outcome ? t("audit.did.finish-second-step.wrong", values) : plainSentence(action, values);
    case "delete-tag":
      return what.merged_into
        ? t("audit.did.delete-tag.merged", { ...values, into: nameOf(what.merged_into) })
        : plainSentence(action, values);
    case "update-tag":
      return values.before === values.name ? plainSentence(action, values) : t("audit.did.update-tag.renamed", values);
    case "remove-agent":
    case "deactivate-agent": {
      const { conversations: count, handed_over_to: to } = what;
      if (typeof count !== "number") return plainSentence(action, values);
      return to
        ? t("audit.did.deactivate-agent.handedOver", { ...values, count, to: nameOf(to) })
        : t("audit.did.deactivate-agent.unassigned", { ...values, count });
    }
    case "set-assistant-state": {
      const state = oneOf(["active", "paused", "revoked"], thing?.state);
      return state ? t(`audit.did.set-assistant-state.${state}`, values) : plainSentence(action, values);
    }
    case "export-contact":
      return what.include_notes ? t("audit.did.export-contact.withNotes") : plainSentence(action, values);
    case "require-sso":
      return t(`audit.did.require-sso.${what.on === true ? "on" : "off"}`, values);
    case "refuse-sso":
      return t("audit.did.refuse-sso.why", { ...values, why: whyRefused(what.why) });
    case "set-data-requests":
      return t(`audit.did.set-data-requests.${what.allowed === true ? "on" : "off"}`);
    case "update-team":
      return t(`audit.did.update-team.${thing?.api_access === false ? "off" : "on"}`);
    case "write-team-canned-replies": {
      const change = oneOf(["add", "update", "remove"], what.change);
      return change ? t(`audit.did.write-team-canned-replies.${change}`, values) : plainSentence(action, values);
    }
    default:
      return plainSentence(action, values);
  }
}

/** The name of an action without values, for the filter. */
export function auditAction(action: AuditedOperation): string {
  return t(`audit.did.${action}`, { name: "…", before: "…", role: "…" });
}

/** The actor. */
export function auditActor({ kind, name }: AuditEntry["actor"]): string {
  if (kind === "system") return t("audit.system");
  if (kind === "api-key") return t("audit.byKey", { name: name ?? "…" });
  return agentName({ name }) || t("audit.unknownActor");
}

function plainSentence(action: string, values: Record<string, string>): string {
  const key = `audit.did.${action as AuditedOperation}` as const;
  const sentence = t(key, values);
  return sentence === key ? action : sentence;
}

type Thing = { readonly [key: string]: unknown };

/** The first object of a line is what the action was done to. */
function thingIn(what: AuditEntry["what"]): Thing | undefined {
  return Object.values(what).find((value): value is Thing => typeof value === "object" && value !== null);
}

function nameOf(thing: unknown): string {
  return agentName((thing ?? {}) as { name?: string; email?: string }) || "…";
}

function roleOf(thing: Thing | undefined): string {
  return typeof thing?.role === "string" ? t(`role.${thing.role as AgentRole}`) : "…";
}

/** Where nothing was wrong with the answer, our own words; else what was wrong, as the server has noted it. */
function whyRefused(why: unknown): string {
  const known = oneOf(SSO_REFUSALS, why);
  return known ? t(`audit.did.refuse-sso.${known}`) : String(why);
}

function oneOf<const Word extends string>(words: readonly Word[], word: unknown): Word | undefined {
  return words.find((each) => each === word);
}
