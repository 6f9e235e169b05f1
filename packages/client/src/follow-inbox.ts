/**
 * Keeps an agent's inbox in sync with the log:
 *
 * event -> apply-team-event.ts -> the next state -> afterTeamEvent: fetches what the event does not carry
 * `-> it carries too little: everything is fetched again (fetch-inbox.ts)
 */
import type { AgentEventFrame } from "@frontdesk/core/contract/live";
import { applyTeamEvent } from "./apply-team-event.ts";
import { type FetchedInbox, fetchInbox, replaceInbox } from "./fetch-inbox.ts";
import { followLog, type LogFollower } from "./follow-log.ts";
import type { InboxContext } from "./inbox-context.ts";
import type { InboxCounter } from "./inbox-counts.ts";
import type { InboxLists } from "./inbox-lists.ts";
import { refreshPeople } from "./inbox-people.ts";
import type { InboxThreads } from "./inbox-threads.ts";

/** Unreferenced conversations are dropped once there are this many more than after the last time. */
const UNLISTED_MAX = 500;
/** Events after which the agents, tags, widgets and channels to choose from differ. */
const CHOICE_EVENT = /^(tag\.(created|updated|deleted)$|agent\.|widget\.|channel\.)/;
/** Events after which replies by mail may be refused, or no longer. */
const CHANNEL_EVENT = /^channel\./;
/** Events after which a contact is renamed or deleted. */
const FIELD_EVENTS: ReadonlySet<string> = new Set(["custom-field.updated", "custom-field.deleted"]);

export function followInbox(
  context: InboxContext,
  {
    lists,
    threads,
    counter,
    onEmail,
  }: {
    lists: InboxLists;
    threads: InboxThreads;
    counter: InboxCounter;
    /** An email has come into a conversation. */
    onEmail(conversationId: string): void;
  },
): LogFollower<AgentEventFrame> {
  const { store, ask, dropUnlisted } = context;
  const follower = followLog<AgentEventFrame, FetchedInbox>({
    fetch: () => fetchInbox(ask, lists, threads),
    replace(fetched) {
      // An event that carries too little may be about the name of an agent or a tag.
      if (follower.position) void refreshPeople(context);
      counter.isCounted(fetched.counts);
      threads.forgetClosed();
      // The numbers of another log say nothing about this one.
      const isSameLog = follower.position?.epoch === fetched.epoch;
      const before = isSameLog ? store.inbox : { ...store.inbox, deliveries: new Map() };
      store.inbox = replaceInbox(before, fetched, lists, threads);
      store.changed();
    },
    apply(event) {
      const next = applyTeamEvent(store.inbox, event);
      if (!next) return false;
      store.inbox = next;
      afterTeamEvent(event);
      dropUnlisted(UNLISTED_MAX);
      store.changed();
      return true;
    },
  });
  return follower;

  function afterTeamEvent({ conversation, message, timeline_entry: entry, data, name }: AgentEventFrame): void {
    const contactId = (data?.visitor as { id: string } | undefined)?.id;
    const isAboutFields = FIELD_EVENTS.has(name);
    const isAboutChannels = CHANNEL_EVENT.test(name);
    if (message) void threads.fillGaps(message.conversation_id);
    if (conversation || message || name === "erasure.started") counter.countSoon();
    for (const [id, { contact, drafts_of_others, mail }] of store.inbox.details) {
      const isIn = message?.conversation_id === id;
      const isTheirs = isIn && drafts_of_others.some(({ agent }) => agent.id === message.agent?.id);
      // Whom a reply by mail goes to changes with each mail, and with what becomes of it.
      const isAboutMail = mail !== null && (isIn || isAboutChannels);
      if (isTheirs || isAboutMail || isAboutFields || contact.id === contactId) void threads.refreshDetails(id);
    }
    const isMail = (id: string) => store.inbox.conversations.get(id)?.confirmed.channel === "email";
    if (message && name === "message.received" && isMail(message.conversation_id)) onEmail(message.conversation_id);
    threads.markOutdated(
      (id) =>
        entry?.conversation_id === id ||
        ((message?.conversation_id === id || isAboutChannels) && isMail(id)) ||
        contactId !== undefined ||
        isAboutFields,
    );
    if (CHOICE_EVENT.test(name)) void refreshPeople(context);
  }
}
