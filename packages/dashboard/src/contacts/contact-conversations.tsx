import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ban } from "lucide-react";
import { blockContact } from "../conversation/conversation-actions.ts";
import { askInbox } from "../service/ask-inbox.ts";
import { queries } from "../service/queries.ts";
import { shortWhen } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";

/** What was talked about with a contact; by it they can be blocked. */
export function ContactConversations({
  id,
  asked,
  isBlocked,
}: {
  id: string;
  /** What the contact is found by: their e-mail, or their name. */
  asked: string;
  isBlocked: boolean;
}) {
  const found = useQuery({
    queryKey: ["contact-conversations", id, asked],
    queryFn: () => askInbox("search", { query: { q: asked } }),
    enabled: asked !== "",
  });
  const conversations = (found.data?.conversations ?? [])
    .map(({ conversation }) => conversation)
    .filter(({ contact }) => contact.id === id);
  const [latest] = conversations;
  // Somebody without a name or an e-mail cannot be searched for.
  if (asked === "") return null;
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
                className="flex h-9 items-center gap-2 rounded-control px-2 hover:bg-hover"
              >
                <span dir="auto" className="aligned min-w-0 flex-1 truncate">
                  {conversation.last_message?.content || t("noMessages")}
                </span>
                {conversation.is_resolved && <Badge>{t("state.resolved")}</Badge>}
                <span className="numbers shrink-0 text-meta text-subtle">{shortWhen(conversation.active_at)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {latest && (
        <Button
          className="mt-4"
          onClick={async () => {
            await blockContact(latest, !isBlocked);
            await queries.invalidateQueries({ queryKey: ["contact", id] });
          }}
        >
          <Ban size={14} aria-hidden="true" />
          {isBlocked ? t("unblock") : t("block")}
        </Button>
      )}
    </Section>
  );
}
