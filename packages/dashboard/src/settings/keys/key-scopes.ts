/** A key's scopes as text: subjects, each with read or write access. */
import { type ApiKeyScope, apiKeyScopes } from "@frontdesk/core/domain/policy";
import { locale, t } from "../../texts/texts.ts";

export type KeySubject = ApiKeyScope extends `${infer Subject}:${string}` ? Subject : never;
export const keyVerbs = ["read", "write"] as const;
export type KeyVerb = (typeof keyVerbs)[number];

export const keySubjects = [...new Set(apiKeyScopes.map((scope) => scope.split(":")[0] as KeySubject))];

export const subjectInWords = {
  widgets: t("settings.widgets"),
  contacts: t("nav.contacts"),
  conversations: t("search.conversations"),
  agents: t("settings.people"),
  channels: t("settings.channels"),
  webhooks: t("hooks.title"),
  assistants: t("settings.assistants"),
  knowledge: t("nav.knowledge"),
  privacy: t("settings.privacy"),
  ai: t("settings.ai"),
} as const satisfies Record<KeySubject, string>;

const list = new Intl.ListFormat(locale, { type: "unit", style: "short" });

/** "Everything", or the subjects with read and write, read-only and write-only access. */
export function scopesInWords(scopes: readonly ApiKeyScope[]): string {
  if (scopes.length === apiKeyScopes.length) return t("apiKeys.everything");
  const may = (subject: KeySubject, verb: KeyVerb) => (scopes as readonly string[]).includes(`${subject}:${verb}`);
  const those = (fits: (subject: KeySubject) => boolean) =>
    list.format(keySubjects.filter(fits).map((each) => subjectInWords[each]));
  const parts = [
    ["both", those((subject) => may(subject, "read") && may(subject, "write"))],
    ["read", those((subject) => may(subject, "read") && !may(subject, "write"))],
    ["write", those((subject) => !may(subject, "read") && may(subject, "write"))],
  ] as const;
  return parts.flatMap(([verbs, subjects]) => (subjects ? [t(`apiKeys.may.${verbs}`, { subjects })] : [])).join(" · ");
}
