import type { LiveConversation } from "@frontdesk/core/contract/live";
import { Link } from "@tanstack/react-router";
import { Sparkles } from "lucide-react";
import { lastLine } from "../inbox/last-line.ts";
import { shortWhen } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Badge, TagBadge } from "../ui/badge.tsx";
import { Section } from "../ui/page.tsx";

/** The conversations of a contact, newest first. */
export function ContactConversations({ conversations }: { conversations: readonly LiveConversation[] }) {
  return (
    <Section title={t("search.conversations")}>
      {conversations.length === 0 ? (
        <p className="text-muted">{t("contacts.noConversations")}</p>
      ) : (
        <ul className="-mx-2">
          {conversations.map((conversation) => (
            <li key={conversation.id}>
              <Link
                to="/inbox/$conversationId"
                params={{ conversationId: conversation.id }}
                search={{ view: "all" }}
                className="flex h-9 items-center gap-2 rounded-control px-2 hover:bg-hover pointer-coarse:h-11"
              >
                <span dir="auto" className="aligned min-w-0 flex-1 truncate">
                  {lastLine(conversation) ?? t("noMessages")}
                </span>
                {conversation.tags.slice(0, 1).map(({ id, name, color }) => (
                  <TagBadge key={id} name={name} color={color} small />
                ))}
                {conversation.speaker === "ai" && (
                  <Badge tone="accent">
                    <Sparkles size={12} aria-hidden="true" />
                    {t("ai.word")}
                  </Badge>
                )}
                {conversation.is_resolved && <Badge>{t("state.resolved")}</Badge>}
                <span className="numbers shrink-0 text-meta text-subtle">{shortWhen(conversation.active_at)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
