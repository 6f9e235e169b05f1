import type {
  CannedReply,
  Draft,
  InboxContact,
  InboxConversationDetails,
  InboxCounts,
  InboxFound,
  InboxList,
  InboxPeople,
  InboxThread,
  MailDetails as ShownMail,
} from "@frontdesk/core/contract/inbox";
import type { LiveConversation } from "@frontdesk/core/contract/live";
import { type Channel, traitsOf } from "@frontdesk/core/domain/channel";
import type { DetailSource } from "@frontdesk/core/domain/detail-source";
import { excerptOf, highlightsOf } from "@frontdesk/core/domain/highlights";
import { writeCursor } from "@frontdesk/core/domain/inbox";
import { sentenceOf } from "@frontdesk/core/domain/reasons";
import { wordsToMark } from "@frontdesk/core/domain/search-query";
import { countryOf } from "../contacts/contact-country.ts";
import type { WholeContact } from "../contacts/list-contacts.ts";
import { presentContact } from "../contacts/present-contact.ts";
import { presentFace } from "../conversations/present-face.ts";
import { presentLiveConversation, presentLiveMessage } from "../conversations/present-team.ts";
import type { CustomValueRow } from "../custom-data/custom-data-store.ts";
import { presentCustomData } from "../custom-data/present-custom-data.ts";
import { presentMailHead } from "../email/present-live-email.ts";
import { presentHold } from "../privacy/present-hold.ts";
import type { CannedReplyRow, DraftRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";
import type { InboxCounts as Counts } from "./count-inbox.ts";
import type { InboxPage } from "./list-inbox.ts";
import type { InboxPeople as People } from "./list-people.ts";
import type { MailDetails } from "./mail-details.ts";
import type { OpenedContact } from "./open-contact.ts";
import type { OpenedConversation } from "./open-in-inbox.ts";
import type { ThreadPage } from "./read-thread.ts";
import type { InboxFound as Found } from "./search-inbox.ts";
import type { ShownConversation } from "./shown-after.ts";

type DetailSources = InboxContact["detail_sources"];
type ShownSource = DetailSources["email"];

export function presentInboxList({ conversations, ownReads, next, number }: InboxPage, epoch: string): InboxList {
  return {
    conversations: conversations.map(presentLiveConversation),
    own_reads: Object.fromEntries(ownReads),
    next: next ? writeCursor({ value: isoTime(next.value), id: next.id }) : null,
    number,
    epoch,
  };
}

export function presentCounts({ views, number }: Counts, epoch: string): InboxCounts {
  return { views, number, epoch };
}

export function presentShown({ conversation, number }: ShownConversation, epoch: string) {
  return { conversation: presentLiveConversation(conversation), number, epoch };
}

export function presentThread({ messages, hasBefore, hasAfter, number }: ThreadPage, epoch: string): InboxThread {
  return {
    messages: messages.map(presentLiveMessage),
    has_before: hasBefore,
    has_after: hasAfter,
    number,
    epoch,
  };
}

export function presentDetails(opened: OpenedConversation, epoch: string): InboxConversationDetails {
  const { contact, customData, earlier, unmailed = null, mail, timeline, drafts, ownRead, agentId } = opened;
  const isOwn = ({ agent_id }: DraftRow) => agent_id === agentId;
  return {
    ...presentShown(opened, epoch),
    ...presentWithCountry(contact),
    custom_data: customData.map(presentCustomData),
    detail_sources: presentSources(contact, customData),
    earlier_conversations: earlier.map(presentLiveConversation),
    same_address_conversations: opened.sameAddress.map(presentLiveConversation),
    unmailed,
    mail: mail ? presentMail(mail) : null,
    timeline,
    own_read: ownRead,
    drafts: drafts.filter(isOwn).map(presentDraft),
    drafts_of_others: drafts.flatMap((draft) => {
      const { mode, updated_at } = presentDraft(draft);
      return isOwn(draft) || !draft.agent ? [] : [{ agent: presentFace(draft.agent), mode, updated_at }];
    }),
  };
}

function presentMail({ account, last, reply, holdSeconds }: MailDetails): ShownMail {
  const refusal = "to" in reply ? null : reply;
  return {
    account,
    last: last ? presentMailHead(last) : null,
    reply: "to" in reply ? reply : null,
    refusal: refusal && {
      message: sentenceOf(refusal),
      reason: refusal.name,
      ...(refusal.values && { values: refusal.values }),
    },
    hold_seconds: holdSeconds,
  };
}

export function presentOpenedContact(
  { contact, customData, conversations, hold, number }: OpenedContact,
  epoch: string,
): InboxContact {
  return {
    ...presentWithCountry(contact),
    custom_data: customData.map(presentCustomData),
    detail_sources: presentSources(contact, customData),
    conversations: conversations.map(presentLiveConversation),
    hold: hold ? presentHold(hold) : null,
    number,
    epoch,
  };
}

function presentWithCountry(whole: WholeContact) {
  return { contact: presentContact(whole), country_guessed: countryOf(whole.contact).isGuessed };
}

/** Pages of a website let anyone say anything, so there the source is shown also when it was not stored. */
function presentSources({ contact }: WholeContact, customData: readonly CustomValueRow[]): DetailSources {
  const isOfWebsite = traitsOf(contact.channel).inBrowser;
  const shown = (source: string | null): ShownSource =>
    (source as DetailSource | null) ?? (isOfWebsite ? "unknown" : null);
  return {
    email: contact.email === null ? null : shown(contact.email_source),
    phone: contact.phone === null ? null : shown(contact.phone_source),
    custom_data: Object.fromEntries(customData.map(({ field_id, source }) => [field_id, shown(source)])),
  };
}

export function presentDraft({ mode, content, updated_at, returned_by }: DraftRow): Draft {
  return {
    mode: mode as Draft["mode"],
    content,
    updated_at: isoTime(updated_at),
    returned_by: returned_by as Draft["returned_by"],
  };
}

export function presentCannedReply({ id, agent_id, name, content, updated_at }: CannedReplyRow): CannedReply {
  return { id, whose: agent_id === null ? "team" : "own", name, content, updated_at: isoTime(updated_at) };
}

export function presentPeople({ me, agents, tags, widgets, channels, ai }: People): InboxPeople {
  return {
    me,
    agents: agents.map((agent) => ({
      ...presentFace(agent),
      email: agent.email,
      role: agent.role as InboxPeople["agents"][number]["role"],
      status: agent.status as InboxPeople["agents"][number]["status"],
      online_status: agent.online_status as InboxPeople["agents"][number]["online_status"],
    })),
    tags: tags.map(({ id, name, color }) => ({ id, name, color })),
    widgets: widgets.map(({ id, name }) => ({ id, name })),
    channels: channels.map(({ row, address, canSend }) => ({
      ...{ id: row.id, channel: row.channel as Channel, name: row.name },
      ...{ address, can_send: canSend },
    })),
    ai: ai
      ? {
          ...{ name: ai.name, is_active: ai.is_active === 1 },
          ...{ widgets: JSON.parse(ai.widgets), channels: JSON.parse(ai.channels) },
        }
      : null,
  };
}

/** How much of a found message is shown. */
const EXCERPT_LENGTH = 160;

export function presentFound(
  { people, conversations, messages, unknown, forgiving }: Found,
  query: string,
): InboxFound {
  const marked = { words: wordsToMark(query), forgiving };
  return {
    unknown,
    forgiving,
    people: people.map(({ id, name, email, phone }) => ({
      id,
      name,
      email,
      phone,
      name_highlights: highlightsOf(name ?? "", marked),
      email_highlights: highlightsOf(email ?? "", marked),
    })),
    conversations: conversations.map((view) => {
      const conversation: LiveConversation = presentLiveConversation(view);
      const { name, email } = conversation.contact;
      return { conversation, name_highlights: highlightsOf(name ?? email ?? "", marked) };
    }),
    messages: messages.map(({ message, conversation: { contact, conversation } }) => ({
      id: message.id,
      conversation_id: message.conversation_id,
      sort_number: message.sort_number,
      type: message.type as InboxFound["messages"][number]["type"],
      from: message.agent_id === null ? "visitor" : "agent",
      contact: { id: contact.id, name: contact.name, email: contact.email },
      subject: conversation.email_subject,
      ...excerptOf(message.content ?? "", marked, EXCERPT_LENGTH),
      created_at: isoTime(message.created_at),
    })),
  };
}
