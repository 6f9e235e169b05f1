import type { Assistant } from "@frontdesk/core/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Section } from "../../ui/page.tsx";
import { inGroups } from "./assistant-permission-groups.ts";
import { permissionsQuery } from "./assistants-query.ts";

/** Its current tools: those of its permissions, and none while it is not live. */
export function AssistantTools({ assistant: { attributes } }: { assistant: Assistant }) {
  const { data: permissions } = useQuery(permissionsQuery);
  if (!permissions) return null;
  const groups = inGroups(permissions).map(({ group, permissions: inGroup }) => ({
    group,
    granted: attributes.is_live ? inGroup.filter(({ value }) => attributes.permissions.includes(value)) : [],
  }));
  const count = groups.flatMap(({ granted }) => granted.flatMap(({ tools }) => tools)).length;
  const total = permissions.flatMap(({ tools }) => tools).length;
  return (
    <Section title={t("assistants.tools")} text={t("assistants.toolsOf", { count, total })}>
      <div className="gap-x-6 md:columns-2">
        {groups
          .filter(({ granted }) => granted.length > 0)
          .map(({ group, granted }) => (
            <section key={group} className="mb-3 break-inside-avoid">
              <h3 className="pb-1 font-medium text-label text-subtle">{t(`assistants.group.${group}`)}</h3>
              <ul>
                {granted.map(({ value, tools }) => (
                  <li key={value} className="flex gap-2 py-1.5">
                    <Check size={14} className="mt-0.75 shrink-0 text-success" aria-hidden="true" />
                    <div className="min-w-0">
                      <p>{t(`assistants.may.${value}`)}</p>
                      {tools.map(({ name, asks_first }) => (
                        <p key={name} className="flex flex-wrap items-center gap-2 text-meta text-subtle">
                          <code className="font-mono">{name}</code>
                          {asks_first && <Badge>{t("assistants.asksFirst")}</Badge>}
                        </p>
                      ))}
                    </div>
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </div>
    </Section>
  );
}
