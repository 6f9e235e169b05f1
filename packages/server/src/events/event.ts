import type { EventName as PublicEventName } from "@frontdesk/core/contract";
import type { AiRunReason } from "@frontdesk/core/domain/ai/ai-settings";
import type { ConversationWithPeople } from "../conversations/find-conversation.ts";
import type {
  AgentRow,
  ArticleRow,
  AssistantRow,
  AttachmentRow,
  ChannelAccountRow,
  ContactRow,
  CustomFieldRow,
  MessageRow,
  TagRow,
  TeamRow,
  WebhookRow,
  WidgetRow,
} from "../storage/tables.ts";

/** Who did something, as the events and the conversation store it (decision 47): exactly one key. */
export type Doer =
  | { agent: { id: string; name: string; email: string } }
  | { automation: { id: string; name: string } }
  | { system: Record<string, never> };

interface WithMessage extends ConversationWithPeople {
  message: MessageRow;
  attachments: AttachmentRow[];
}

/** The content of a system line, as data that can be shown in any language. */
export interface SaidLine {
  /** `mail.noted` is not translated: its line contains what a mail says. */
  name: "visitor.recognised" | "mail.noted";
  values: Record<string, string>;
}

/** One value of custom data, under its name. */
export interface NamedValue {
  name: string;
  value: string;
}

/** What the log contains of an article: not its answer, which may be long. */
type ShownArticle = Pick<ArticleRow, "id" | "question" | "is_published">;

type ShownChannel = Pick<ChannelAccountRow, "id" | "channel" | "state">;

/**
 * What an operation has recorded, as rows; `present-event.ts` makes the payload of it. The names with a dot that the
 * specification lists are public (webhooks); the others are ours, for the live stream and the audit trail.
 */
export type EventFacts =
  | ({ name: "message.received" } & WithMessage)
  | ({
      name: "message.sent";
      agent: AgentRow;
      /** The visitor goes on waiting for an answer. */
      isNoAnswer?: boolean | undefined;
    } & WithMessage)
  // An agent has written it in another program: it is there already, and is not sent.
  | ({
      name: "message.sent-elsewhere";
      agent: AgentRow;
      /** The visitor has written since: it answers that not. */
      isLate: boolean;
    } & WithMessage)
  | ({ name: "note.added"; agent: AgentRow; mentions: readonly AgentRow[] } & WithMessage)
  | ({ name: "system-line.added"; said: SaidLine } & WithMessage)
  | ({
      name: "conversation.created";
      /** Left out: its visitor. */
      openedBy?: Doer | { visitor: { id: string } } | undefined;
    } & ConversationWithPeople)
  | ({ name: "conversation.resolved"; resolvedAt: number; resolvedBy: Doer } & ConversationWithPeople)
  | ({ name: "conversation.reopened"; reopenedBy: Doer | { visitor: { id: string } } } & ConversationWithPeople)
  | ({ name: "conversation.seen" } & ConversationWithPeople)
  | ({ name: "conversation.read" } & ConversationWithPeople)
  | ({ name: "conversation.marked-unread" } & ConversationWithPeople)
  | ({ name: "conversation.rated" } & ConversationWithPeople)
  | ({ name: "conversation.snoozed"; snoozedBy: Doer } & ConversationWithPeople)
  | ({ name: "conversation.unsnoozed"; endedBy: Doer | { visitor: { id: string } } } & ConversationWithPeople)
  | ({
      name: "handoff.requested";
      /** Of a handoff by the built-in AI (`core/domain/ai/ai-settings.ts`). */
      reason?: AiRunReason | undefined;
      requestedBy: Doer | { visitor: { id: string } };
    } & ConversationWithPeople)
  | ({ name: "handoff.ended"; endedBy: Doer } & ConversationWithPeople)
  // Not at the opening of an episode, nor at its end: their own events say it.
  | ({ name: "speaker.changed" } & ConversationWithPeople)
  | ({ name: "agent.assigned"; agent: AgentRow; assignedBy: Doer } & ConversationWithPeople)
  | ({ name: "agent.unassigned"; agent: AgentRow; removedBy: Doer } & ConversationWithPeople)
  | { name: "tag.created"; tag: Pick<TagRow, "id" | "name" | "color"> }
  | { name: "tag.updated"; tag: Pick<TagRow, "id" | "name" | "color">; before: Pick<TagRow, "name" | "color"> }
  | {
      name: "tag.deleted";
      tag: Pick<TagRow, "id" | "name" | "color">;
      /** The one that replaced it on every conversation. */
      mergedInto: Pick<TagRow, "id" | "name" | "color"> | undefined;
    }
  | ({ name: "tag.assigned"; tag: Pick<TagRow, "name">; assignedBy: Doer } & ConversationWithPeople)
  | ({ name: "tag.removed"; tag: Pick<TagRow, "name">; removedBy: Doer } & ConversationWithPeople)
  | { name: "custom-field.created"; field: Pick<CustomFieldRow, "id" | "name"> }
  | {
      name: "custom-field.updated";
      field: Pick<CustomFieldRow, "id" | "name">;
      before: Pick<CustomFieldRow, "name">;
    }
  | { name: "custom-field.deleted"; field: Pick<CustomFieldRow, "id" | "name"> }
  | { name: "custom.data.assigned"; contact: ContactRow; customData: NamedValue; assignedBy: Doer }
  | { name: "custom.data.removed"; contact: ContactRow; customData: NamedValue; removedBy: Doer }
  | { name: "article.created"; article: ShownArticle; createdBy: Doer }
  | { name: "article.updated"; article: ShownArticle; updatedFields: readonly string[]; updatedBy: Doer }
  | { name: "article.removed"; article: ShownArticle; removedBy: Doer }
  | { name: "contact.created"; contact: ContactRow }
  | { name: "contact.blocked" | "contact.unblocked"; contact: ContactRow; changedBy: Doer }
  | {
      name: "contact.updated";
      contact: ContactRow;
      previous: object;
      current: object;
      source: string | undefined;
    }
  | { name: "agent.created" | "agent.invited" | "agent.joined" | "agent.updated"; agent: AgentRow }
  | { name: "visitor-session.verified"; contact: ContactRow }
  | { name: "visitor-session.moved"; contact: ContactRow; to: ContactRow | undefined }
  | { name: "widget.created" | "widget.updated" | "widget.removed"; widget: WidgetRow }
  | { name: "channel.created" | "channel.updated" | "channel.deleted"; account: ShownChannel }
  | { name: "webhook.tested"; webhook: WebhookRow; shows: PublicEventName; eventId: string }
  | { name: "webhook.created" | "webhook.updated" | "webhook.deleted"; webhook: WebhookRow }
  | { name: "api-key.created" | "api-key.revoked"; key: { id: string; name: string; agent_id: string } }
  | { name: "assistant.created" | "assistant.updated"; assistant: AssistantRow }
  | { name: "team.created" | "team.updated"; team: TeamRow }
  | { name: "erasure.started"; erased: { contactId: string; conversationIds: "all" } }
  // It is about the contact, who stays, so that their browsers hear of it.
  | {
      name: "erasure.started";
      erased: { contactId: string; conversationIds: readonly string[] };
      contact: Pick<ContactRow, "id">;
    }
  | {
      name: "conversation.texts-erased";
      contact: Pick<ContactRow, "id">;
      /** `upTo`: the sort number of the last message whose text and files are gone. */
      erasedTexts: { conversationId: string; upTo: number };
    }
  | {
      name: "conversation.files-erased";
      contact: Pick<ContactRow, "id">;
      erasedFiles: { conversationId: string; messageIds: readonly string[] };
    }
  | {
      name: "message.delivery-changed";
      contact: Pick<ContactRow, "id">;
      /** It is read with the event: the log does not say how far it has got. */
      sentOutside: { messageId: string; conversationId: string };
    }
  | { name: "contact.erased"; contactId: string; erasedAt: number }
  | ({
      name: "message.redacted";
      message: Pick<MessageRow, "id">;
      reason: string | undefined;
      redactedBy: Doer;
    } & ConversationWithPeople);

export type EventName = EventFacts["name"];

/** The facts of an event by its name. */
export type FactsOf<Name extends EventName> = FactsNamed<EventFacts, Name>;
type FactsNamed<Facts extends EventFacts, Name> = Facts extends unknown
  ? Name extends Facts["name"]
    ? Facts
    : never
  : never;
