/** What an agent does with conversations: shown at once, told, and taken back by one click where that can be. */
import type { InboxActionInput, InboxActionName } from "@frontdesk/core/contract/inbox";
import type { LiveConversation } from "@frontdesk/core/contract/live";
import { isSnoozed } from "@frontdesk/core/domain/inbox";
import { contactName } from "../inbox/contact-name.ts";
import { changeConversations } from "../inbox/live-inbox.ts";
import { t } from "../texts/texts.ts";
import { tell, tellProblem } from "../ui/toast.ts";
import type { SnoozeChoice } from "./snooze-choices.ts";

export type Person = { id: string; name: string | null; email?: string | null };

/** A change of one or many, and how it is taken back. */
async function change<Name extends InboxActionName>(
  conversations: readonly LiveConversation[],
  name: Name,
  input: InboxActionInput<Name>,
  text: string,
  undo?: () => unknown,
): Promise<void> {
  if (conversations.length === 0) return;
  tell(text, undo && (() => void undo()));
  const [problem, ...others] = await changeConversations(conversations, name, input);
  if (problem === undefined) return;
  tellProblem(
    others.length > 0 ? t("did.notAll", { count: others.length + 1, why: problem }) : problem || t("noConnection"),
  );
}

export function resolve(conversations: readonly LiveConversation[]): Promise<void> {
  const open = conversations.filter(({ is_resolved }) => !is_resolved);
  return change(open, "resolve", {}, said("resolved", open), () => changeConversations(open, "reopen", {}));
}

export function reopen(conversations: readonly LiveConversation[]): Promise<void> {
  const resolved = conversations.filter(({ is_resolved }) => is_resolved);
  return change(resolved, "reopen", {}, said("reopened", resolved), () => changeConversations(resolved, "resolve", {}));
}

export function snooze(conversations: readonly LiveConversation[], choice: SnoozeChoice["input"]): Promise<void> {
  return change(conversations, "snooze", choice, said("snoozed", conversations), () =>
    changeConversations(conversations, "unsnooze", {}),
  );
}

export function unsnooze(conversations: readonly LiveConversation[]): Promise<void> {
  return change(conversations.filter(isSnoozed), "unsnooze", {}, t("did.unsnoozed"));
}

export function assign(conversations: readonly LiveConversation[], agent: Person): Promise<void> {
  const others = conversations.filter(({ assigned_agents }) => !assigned_agents.some(({ id }) => id === agent.id));
  const name = agent.name ?? agent.email ?? "";
  return change(others, "assign", { agent_id: agent.id }, t("did.assigned", { name }), () =>
    changeConversations(others, "unassign", { agent_id: agent.id }),
  );
}

export function unassign(conversations: readonly LiveConversation[], agent: Person): Promise<void> {
  const theirs = conversations.filter(({ assigned_agents }) => assigned_agents.some(({ id }) => id === agent.id));
  const name = agent.name ?? agent.email ?? "";
  return change(theirs, "unassign", { agent_id: agent.id }, t("did.unassigned", { name }), () =>
    changeConversations(theirs, "assign", { agent_id: agent.id }),
  );
}

export function tag(
  conversations: readonly LiveConversation[],
  tag: { name: string; color?: string | null },
): Promise<void> {
  const without = conversations.filter(({ tags }) => !tags.some(({ name }) => name === tag.name));
  const input = { name: tag.name, ...(tag.color && { color: tag.color }) };
  return change(without, "tag", input, t("did.tagged", { name: tag.name }), () =>
    changeConversations(without, "untag", { name: tag.name }),
  );
}

export function untag(conversations: readonly LiveConversation[], tag: { name: string }): Promise<void> {
  const tagged = conversations.filter(({ tags }) => tags.some(({ name }) => name === tag.name));
  return change(tagged, "untag", { name: tag.name }, t("did.untagged", { name: tag.name }), () =>
    changeConversations(tagged, "tag", { name: tag.name }),
  );
}

export function markUnread(conversations: readonly LiveConversation[]): Promise<void> {
  return change(conversations, "unread", {}, t("did.unread"));
}

export function blockContact(conversation: LiveConversation, blocked: boolean): Promise<void> {
  if (!blocked) return change([conversation], "unblock", {}, t("did.unblocked"));
  return change([conversation], "block", {}, t("did.blocked"), () =>
    changeConversations([conversation], "unblock", {}),
  );
}

function said(what: "resolved" | "reopened" | "snoozed", conversations: readonly LiveConversation[]): string {
  const [only] = conversations;
  if (only && conversations.length === 1) return t(`did.${what}`, { name: contactName(only.contact) });
  return t(`did.${what}Many`, { count: conversations.length });
}

/** All that can be done with the one that is open. */
export interface ConversationActions {
  resolve(): void;
  reopen(): void;
  unsnooze(): void;
  assignToMe(): void;
  unassign(agent: Person): void;
  untag(tag: { name: string }): void;
  markUnread(): void;
  returnToAssistant(): void;
  block(): void;
  unblock(): void;
}

/** @param me who "me" is */
export function actionsOn(conversation: LiveConversation, me: Person, onLeave: () => void): ConversationActions {
  const one = [conversation];
  return {
    resolve: () => void resolve(one),
    reopen: () => void reopen(one),
    unsnooze: () => void unsnooze(one),
    assignToMe: () => void assign(one, me),
    unassign: (agent) => void unassign(one, agent),
    untag: (tag) => void untag(one, tag),
    markUnread() {
      onLeave();
      void markUnread(one);
    },
    returnToAssistant: () => void change(one, "return-to-assistant", {}, t("did.returned")),
    block: () => void blockContact(conversation, true),
    unblock: () => void blockContact(conversation, false),
  };
}
