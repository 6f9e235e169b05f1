import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { MessageSquare } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { contactName } from "../inbox/contact-name.ts";
import { loadedConversations } from "../inbox/live-inbox.ts";
import { askInbox } from "../service/ask-inbox.ts";
import { shortWhen } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { matching } from "../ui/matching.ts";
import { type Choice, Picker } from "../ui/picker.tsx";
import { FloatingPicker } from "./command-palette.tsx";

const LOCAL_SHOWN = 5;

/** Searches people, conversations and messages while typing: first what is loaded, then the service's results. */
export function SearchLayer({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <FloatingPicker open={open} onClose={onClose} title={t("search.title")}>
      <Found onClose={onClose} />
    </FloatingPicker>
  );
}

function Found({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const asked = useDeferredValue(typed.trim());
  const { data } = useQuery({
    queryKey: ["search", asked],
    queryFn: ({ signal }) => askInbox("search", { query: { q: asked }, signal }),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
  });
  const openConversation = (conversationId: string) => {
    onClose();
    void navigate({ to: "/inbox/$conversationId", params: { conversationId }, search: { view: "all" } });
  };
  const local = matching(
    loadedConversations().map((conversation) => ({
      conversation,
      label: contactName(conversation.contact),
      also: conversation.contact.email ?? "",
    })),
    typed,
  )
    .slice(0, typed.trim() ? LOCAL_SHOWN : 0)
    .map(({ conversation }) => conversation);
  const found = typed.trim() ? data : undefined;
  const known = new Set(local.map(({ id }) => id));
  const conversations = [
    ...local,
    ...(found?.conversations ?? []).map(({ conversation }) => conversation).filter(({ id }) => !known.has(id)),
  ];
  const choices: Choice[] = [
    ...conversations.map((conversation) => ({
      id: conversation.id,
      group: t("search.conversations"),
      label: contactName(conversation.contact),
      hint: conversation.last_message?.content ?? "",
      icon: <Avatar id={conversation.contact.id} name={contactName(conversation.contact)} size="small" />,
      onSelect: () => openConversation(conversation.id),
    })),
    ...(found?.messages ?? []).map((message) => ({
      id: message.id,
      group: t("search.messages"),
      label: marked(message.excerpt, message.highlights),
      hint: `${contactName(message.contact)} · ${shortWhen(message.created_at)}`,
      icon: <MessageSquare size={14} />,
      onSelect: () => openConversation(message.conversation_id),
    })),
    ...(found?.people ?? []).map((person) => ({
      id: `person-${person.id}`,
      group: t("search.people"),
      label: contactName(person),
      hint: person.email ?? person.phone ?? "",
      icon: <Avatar id={person.id} name={contactName(person)} size="small" />,
      onSelect() {
        onClose();
        void navigate({ to: "/contacts/$contactId", params: { contactId: person.id } });
      },
    })),
  ];
  return (
    <Picker
      large
      label={t("search.title")}
      choices={choices}
      filtered
      empty={typed.trim() ? t("nothingFound") : t("search.hint")}
      onType={setTyped}
    />
  );
}

/** Matches are highlighted. */
function marked(text: string, highlights: readonly { start: number; end: number }[]) {
  const parts: React.ReactNode[] = [];
  let end = 0;
  for (const mark of highlights) {
    parts.push(text.slice(end, mark.start));
    parts.push(
      <mark key={mark.start} className="rounded-tag bg-note text-note-ink">
        {text.slice(mark.start, mark.end)}
      </mark>,
    );
    end = mark.end;
  }
  return [...parts, text.slice(end)];
}
