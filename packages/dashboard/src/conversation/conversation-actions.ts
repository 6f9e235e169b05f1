/** An agent's actions on conversations: shown at once, with a toast and, where possible, an undo. */
import type { InboxActionInput, InboxActionName } from "@frontdesk/core/contract/inbox";
import type { LiveConversation } from "@frontdesk/core/contract/live";
import { isSnoozed } from "@frontdesk/core/domain/inbox";
import { contactName } from "../inbox/contact-name.ts";
import { changeConversations, type FailedChange } from "../inbox/live-inbox.ts";
import { select } from "../inbox/selection.ts";
import { refusalText } from "../texts/refusal-text.ts";
import { t } from "../texts/texts.ts";
import { showProblem, showToast } from "../ui/toast.ts";
import type { SnoozeChoice } from "./snooze-choices.ts";

export type Person = { id: string; name: string | null; email?: string | null };

/** How many of the failed conversations are named. */
const NAMED = 3;

/**
 * Changes one or many conversations, with a toast at once. Refused changes are named; of many, those stay selected.
 *
 * @param undo reverts the change
 */
async function change<Name extends InboxActionName>(
  conversations: readonly LiveConversation[],
  name: Name,
  input: InboxActionInput<Name>,
  text: string | ((conversations: readonly LiveConversation[]) => string),
  undo?: (done: readonly LiveConversation[]) => Promise<FailedChange[]>,
): Promise<void> {
  if (conversations.length === 0) return;
  const tellDone = (done: readonly LiveConversation[]) =>
    showToast(
      typeof text === "string" ? text : text(done),
      undo && (() => void undo(done).then((left) => showFailures(done, left))),
    );
  const takeBackWords = tellDone(conversations);
  const failed = await changeConversations(conversations, name, input);
  if (failed.length === 0) return;
  takeBackWords();
  const done = conversations.filter(({ id }) => !failed.some((each) => each.id === id));
  if (done.length > 0) tellDone(done);
  if (conversations.length > 1)
    select(
      undefined,
      failed.map(({ id }) => id),
    );
  showFailures(conversations, failed);
}

function showFailures(conversations: readonly LiveConversation[], failed: readonly FailedChange[]): void {
  const whyNot = (each: FailedChange) => (each.message ? refusalText(each) : t("noConnection"));
  for (const [why, those] of Map.groupBy(failed, whyNot)) {
    const names = those.flatMap(({ id }) => conversations.find((each) => each.id === id) ?? []).map(nameOf);
    const named = names.length > NAMED ? [...names.slice(0, NAMED), "…"] : names;
    showProblem(
      conversations.length > 1 ? t("did.notAll", { count: those.length, why: `${why} (${named.join(", ")})` }) : why,
    );
  }
}

const nameOf = ({ contact }: LiveConversation): string => contactName(contact);

export function resolve(conversations: readonly LiveConversation[]): Promise<void> {
  const open = conversations.filter(({ is_resolved }) => !is_resolved);
  return change(open, "resolve", {}, said("resolved"), (done) => changeConversations(done, "reopen", {}));
}

export function reopen(conversations: readonly LiveConversation[]): Promise<void> {
  const resolved = conversations.filter(({ is_resolved }) => is_resolved);
  return change(resolved, "reopen", {}, said("reopened"), (done) => changeConversations(done, "resolve", {}));
}

export function snooze(conversations: readonly LiveConversation[], choice: SnoozeChoice["input"]): Promise<void> {
  return change(conversations, "snooze", choice, said("snoozed"), (done) => changeConversations(done, "unsnooze", {}));
}

export function unsnooze(conversations: readonly LiveConversation[]): Promise<void> {
  return change(conversations.filter(isSnoozed), "unsnooze", {}, t("did.unsnoozed"));
}

export function assign(conversations: readonly LiveConversation[], agent: Person): Promise<void> {
  const others = conversations.filter(({ assigned_agents }) => !assigned_agents.some(({ id }) => id === agent.id));
  const name = agent.name ?? agent.email ?? "";
  return change(others, "assign", { agent_id: agent.id }, t("did.assigned", { name }), (done) =>
    changeConversations(done, "unassign", { agent_id: agent.id }),
  );
}

export function unassign(conversations: readonly LiveConversation[], agent: Person): Promise<void> {
  const theirs = conversations.filter(({ assigned_agents }) => assigned_agents.some(({ id }) => id === agent.id));
  const name = agent.name ?? agent.email ?? "";
  return change(theirs, "unassign", { agent_id: agent.id }, t("did.unassigned", { name }), (done) =>
    changeConversations(done, "assign", { agent_id: agent.id }),
  );
}

export function tag(
  conversations: readonly LiveConversation[],
  tag: { name: string; color?: string | null },
): Promise<void> {
  const without = conversations.filter(({ tags }) => !tags.some(({ name }) => name === tag.name));
  const input = { name: tag.name, ...(tag.color && { color: tag.color }) };
  return change(without, "tag", input, t("did.tagged", { name: tag.name }), (done) =>
    changeConversations(done, "untag", { name: tag.name }),
  );
}

export function untag(conversations: readonly LiveConversation[], tag: { name: string }): Promise<void> {
  const tagged = conversations.filter(({ tags }) => tags.some(({ name }) => name === tag.name));
  return change(tagged, "untag", { name: tag.name }, t("did.untagged", { name: tag.name }), (done) =>
    changeConversations(done, "tag", { name: tag.name }),
  );
}

export function markUnread(conversations: readonly LiveConversation[]): Promise<void> {
  return change(conversations, "unread", {}, t("did.unread"));
}

export function blockContact(conversation: LiveConversation, blocked: boolean): Promise<void> {
  if (!blocked) return change([conversation], "unblock", {}, t("did.unblocked"));
  return change([conversation], "block", {}, t("did.blocked"), (done) => changeConversations(done, "unblock", {}));
}

function said(what: "resolved" | "reopened" | "snoozed"): (conversations: readonly LiveConversation[]) => string {
  return (conversations) => {
    const [only] = conversations;
    if (only && conversations.length === 1) return t(`did.${what}`, { name: nameOf(only) });
    return t(`did.${what}Many`, { count: conversations.length });
  };
}

/** All actions of the open conversation. */
export interface ConversationActions {
  resolve(): void;
  reopen(): void;
  unsnooze(): void;
  assignToMe(): void;
  unassign(agent: Person): void;
  untag(tag: { name: string }): void;
  markUnread(): void;
  takeOver(): void;
  returnToAssistant(): void;
  block(): void;
  unblock(): void;
}

/** @param me the signed-in agent */
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
    takeOver: () => void change(one, "take-over", {}, t("did.tookOver")),
    returnToAssistant: () => void change(one, "return-to-assistant", {}, t("did.returned")),
    block: () => void blockContact(conversation, true),
    unblock: () => void blockContact(conversation, false),
  };
}
