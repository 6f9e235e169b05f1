import { parseSearch, wordsToMark } from "@frontdesk/core/domain/search-query";
import { searchable, searchText } from "@frontdesk/core/domain/search-text";
import { stemOf } from "@frontdesk/core/domain/word-forms";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { contactName } from "../inbox/contact-name.ts";
import { lastLine } from "../inbox/last-line.ts";
import { loadedConversations } from "../inbox/live-inbox.ts";
import { askInbox } from "../service/ask-inbox.ts";
import { shortWhen } from "../texts/dates.ts";
import { type TextKey, t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { FoundText, MarkedText } from "../ui/marked-text.tsx";
import { type Choice, Picker } from "../ui/picker.tsx";
import { FloatingPicker } from "./command-palette.tsx";

const LOCAL_SHOWN = 5;
const OPERATORS = "tag: status: from: before: after:";

/** Searches people, conversations and messages while typing: first what is loaded, then the service's results. */
export function SearchLayer({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <FloatingPicker open={open} onClose={onClose} title={t("search.title")}>
      <Search onClose={onClose} />
    </FloatingPicker>
  );
}

function Search({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const asked = useDeferredValue(typed.trim());
  const { data } = useQuery({
    queryKey: ["search", asked],
    queryFn: ({ signal }) => askInbox("search", { query: { q: asked, time_zone: timeZone() }, signal }),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
  });
  const local = loaded(typed);
  const found = typed.trim() ? data : undefined;
  const forgiving = found?.forgiving ?? false;
  const marked = useMemo(() => ({ words: wordsToMark(typed), forgiving }), [typed, forgiving]);
  const openConversation = (conversationId: string, foundAt?: number) => {
    onClose();
    void navigate({
      to: "/inbox/$conversationId",
      params: { conversationId },
      search: { view: "all" },
      state: { find: typed, forgiving, ...(foundAt !== undefined && { foundAt }) },
    });
  };
  const subjectOf = ({ subject }: { subject: string | null }) =>
    subject && <FoundText text={subject} marked={marked} />;
  const known = new Set(local.map(({ id }) => id));
  const conversations = [
    ...local,
    ...(found?.conversations ?? []).map(({ conversation }) => conversation).filter(({ id }) => !known.has(id)),
  ];
  const choices: Choice[] = [
    ...conversations.map((conversation) => ({
      id: conversation.id,
      group: t("search.conversations"),
      label: <FoundText text={contactName(conversation.contact)} marked={marked} />,
      hint: subjectOf(conversation) || (lastLine(conversation) ?? ""),
      aside: shortWhen(conversation.active_at),
      icon: <Avatar id={conversation.contact.id} name={contactName(conversation.contact)} size="small" />,
      onSelect: () => openConversation(conversation.id),
    })),
    ...(found?.messages ?? []).map((message) => ({
      id: message.id,
      group: t("search.messages"),
      label: <FoundText text={contactName(message.contact)} marked={marked} />,
      hint: subjectOf(message),
      aside: shortWhen(message.created_at),
      excerpt: <MarkedText text={message.excerpt} marks={message.highlights} />,
      icon: <Avatar id={message.contact.id} name={contactName(message.contact)} size="small" />,
      onSelect: () => openConversation(message.conversation_id, message.sort_number),
    })),
    ...(found?.people ?? []).map((person) => ({
      id: `person-${person.id}`,
      group: t("search.people"),
      label: <FoundText text={contactName(person)} marked={marked} />,
      hint: person.email ? <MarkedText text={person.email} marks={person.email_highlights} /> : (person.phone ?? ""),
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
      empty={typed.trim() ? found && nothing(found.unknown[0]) : <Hint />}
      onType={setTyped}
    />
  );
}

/** Loaded conversations whose contact and subject contain every word; operators are for the service. */
function loaded(typed: string) {
  const { words, operators } = parseSearch(typed);
  if (words.length === 0 || operators.length > 0) return [];
  return loadedConversations()
    .filter(({ contact, subject }) => {
      const who = searchText(contactName(contact), contact.email);
      const about = searchable(subject ?? "");
      return words.every((word) => who.includes(word) || about.includes(stemOf(word)));
    })
    .slice(0, LOCAL_SHOWN);
}

const unknownTexts: Record<string, TextKey> = {
  tag: "search.unknownTag",
  status: "search.unknownStatus",
  before: "search.unknownDate",
  after: "search.unknownDate",
};

function nothing(unknown: { operator: string; value: string } | undefined): string {
  return unknown ? t(unknownTexts[unknown.operator] ?? "nothingFound", { value: unknown.value }) : t("nothingFound");
}

function Hint() {
  return (
    <>
      <span className="block">{t("search.hint")}</span>
      <span className="mt-1 block text-meta text-subtle">
        {t("search.operators")} <bdi className="font-mono">{OPERATORS}</bdi>
      </span>
    </>
  );
}

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
