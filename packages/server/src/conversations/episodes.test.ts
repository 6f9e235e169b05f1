/** Episodes as the operations store them: the reference's examples, and that they match the log after any operations. */
import { openTime } from "@frontdesk/core/domain/business-hours";
import { type Episode, fold } from "@frontdesk/core/domain/episode";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { assistantOf } from "@frontdesk/testing/assistant-actor";
import { automatedActors } from "@frontdesk/testing/automated-actors";
import { inDepth } from "@frontdesk/testing/depth";
import { engine, startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Actor, AgentActor } from "../access/actor.ts";
import { eventsAfter } from "../events/event-store.ts";
import { updateWidget } from "../widgets/update-widget.ts";
import { addNote } from "./add-note.ts";
import { assignAgent } from "./assign-agent.ts";
import { conversationById } from "./conversation-store.ts";
import { loggedEpisodeEvent } from "./episode-events.ts";
import { episodeOf, lastEpisodes } from "./episode-store.ts";
import { rateConversation } from "./rate-conversation.ts";
import { receiveVisitorMessage } from "./receive-visitor-message.ts";
import { requestHandoff } from "./request-handoff.ts";
import { returnToAssistant } from "./return-to-assistant.ts";
import { sendMessage } from "./send-message.ts";
import { setConversationStatus } from "./set-conversation-status.ts";
import { snoozeConversation } from "./snooze-conversation.ts";
import { unsnoozeConversation } from "./unsnooze-conversation.ts";

const { app, team, clock, storage } = await startTestApp();
const MINUTE_MS = 60_000;

const hours = {
  timezone: "Europe/Lisbon",
  week: {
    mon: [{ from: "09:00", to: "17:00" }],
    fri: [
      { from: "08:00", to: "12:00" },
      { from: "13:00", to: "15:30" },
    ],
  },
  closed: [],
};

/** A conversation of Vera's, and what can be done with it. */
async function chat(acme: TestTeam) {
  const { conversationId, contactId } = await veraWrites(acme, { email: null });
  const grace: AgentActor = {
    kind: "agent",
    teamId: acme.teamId,
    agentId: acme.ada.id,
    role: "CHAT_AGENT_OWNER",
    sessionId: "",
    verifiedAt: 0,
    reach: "everything",
  };
  const robin = assistantOf(acme);
  const { automation: rule, ai } = automatedActors(acme);
  const replies = (actor: Actor) =>
    app.perform(actor, sendMessage, {
      conversationId,
      type: "message",
      content: "We do.",
      agentId: null,
      attachments: [],
    });
  const sets = (actor: Actor, status: "resolved" | "open") =>
    app.perform(actor, setConversationStatus, { conversationId, status, agentId: null });
  const rates = (rating: number) => app.perform(acme.actor, rateConversation, { conversationId, rating, comment: "" });
  const acts = {
    "Vera writes": () =>
      app.perform(acme.actor, receiveVisitorMessage, { widgetId: acme.widgetId, content: "Hello?", contactId }),
    "Ada replies": () => replies(grace),
    "an assistant replies": () => replies(robin),
    "the AI replies": () => replies(ai),
    "a rule replies": () => replies(rule),
    "a rule notes": () => app.perform(rule, addNote, { conversationId, content: "Hm" }),
    "Ada is assigned": () => app.perform(grace, assignAgent, { conversationId, agentId: acme.ada.id }),
    "an assistant asks for a human": () => app.perform(robin, requestHandoff, { conversationId }),
    "it is given back": () => app.perform(grace, returnToAssistant, { conversationId }),
    "Ada resolves": () => sets(grace, "resolved"),
    "a rule resolves": () => sets(rule, "resolved"),
    "Ada reopens": () => sets(grace, "open"),
    "a rule reopens": () => sets(rule, "open"),
    "Ada puts it off until a reply": () => app.perform(grace, snoozeConversation, { conversationId, until: "reply" }),
    "Ada puts it off for an hour": () =>
      app.perform(grace, snoozeConversation, { conversationId, until: clock.now() + 60 * MINUTE_MS }),
    "it comes back": () => app.perform(acme.actor, unsnoozeConversation, { conversationId }),
    "Vera rates it 5": () => rates(5),
    "Vera rates it 2": () => rates(2),
    "hours are set": () =>
      app.perform(acme.actor, updateWidget, { widgetId: acme.widgetId, change: { settings: { hours } } }),
    "no hours are set": () =>
      app.perform(acme.actor, updateWidget, { widgetId: acme.widgetId, change: { settings: { hours: null } } }),
    "time passes": async () => clock.advance(7 * MINUTE_MS),
    "hours pass": async () => clock.advance(5 * 60 * MINUTE_MS),
    "the clock is set back": async () => clock.advance(-3 * MINUTE_MS),
  };
  return { conversationId, contactId, acts };
}

type Act = keyof Awaited<ReturnType<typeof chat>>["acts"];

/** The episodes of a conversation, oldest first, of at most the last two; the open one with what is in its conversation. */
async function kept(acme: TestTeam, conversationId: string): Promise<Episode[]> {
  const of = { team_id: acme.teamId, conversation_id: conversationId };
  const rows = await storage.read((db) => db.all(lastEpisodes, of));
  const row = await storage.read((db) => db.first(conversationById, { team_id: acme.teamId, id: conversationId }));
  return rows
    .map(episodeOf)
    .map((episode) => {
      if (!row || episode.number !== row.episode || row.is_resolved === 1) return episode;
      return {
        ...episode,
        waitingSince: row.waiting_since,
        replies: row.episode_replies,
        assistantReplies: row.episode_assistant_replies,
        lastReplyBy: row.last_reply_by,
      };
    })
    .reverse();
}

/** The same by the log alone, all of them. */
async function folded(acme: TestTeam, conversationId: string): Promise<Episode[]> {
  const log = await storage.read((db) => db.all(eventsAfter, { team_id: acme.teamId, after: 0, limit: 100_000 }));
  const own = log.filter(({ conversation_id }) => conversation_id === conversationId);
  return fold(own.flatMap((row) => loggedEpisodeEvent(row) ?? []));
}

async function expectKeptAsFolded(acme: TestTeam, conversationId: string, done: string): Promise<void> {
  const log = await folded(acme, conversationId);
  expect({ done, episodes: await kept(acme, conversationId) }).toEqual({ done, episodes: log.slice(-2) });
  expect(log.map(({ number }) => number)).toEqual(log.map((_episode, index) => index + 1));
  const row = await storage.read((db) => db.first(conversationById, { team_id: acme.teamId, id: conversationId }));
  const last = log.at(-1);
  expect({
    done,
    episode: row?.episode,
    waiting: row?.waiting_since,
    firstReply: row?.first_reply_at,
    isResolved: row?.is_resolved === 1,
  }).toEqual({
    done,
    episode: last?.number,
    waiting: last?.waitingSince,
    firstReply: last?.firstReplyAt,
    isResolved: last?.resolvedAt !== null,
  });
}

test("whatever is done with a conversation, its episodes are those of its log", async () => {
  const acme = await team();
  const names = Object.keys((await chat(acme)).acts) as Act[];
  const weighted = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...names) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Act>("Vera writes", "Ada replies", "Ada resolves", "time passes", "Vera rates it 5"),
    },
  );
  const numRuns = engine === "sqlite" ? inDepth(60, 600) : inDepth(6, 60);
  await fc.assert(
    fc.asyncProperty(fc.array(weighted, { minLength: 1, maxLength: 30 }), async (sequence) => {
      const { conversationId, acts } = await chat(acme);
      const done: string[] = [];
      for (const name of sequence) {
        const outcome = await acts[name]().then(
          () => "done",
          (error) => {
            if (!(error instanceof Refusal)) throw error;
            return error.reason.name;
          },
        );
        done.push(`${name}: ${outcome}`);
      }
      await expectKeptAsFolded(acme, conversationId, done.join(", "));
    }),
    { numRuns },
  );
});

test("a reopened conversation is measured from its reopening, not from days before", async () => {
  const acme = await team();
  const { conversationId, acts } = await chat(acme);
  await acts["Ada resolves"]();
  clock.advance(9 * 24 * 60 * MINUTE_MS);
  await acts["Vera writes"]();
  const reopened = clock.now();
  clock.advance(10 * MINUTE_MS);
  await acts["Ada replies"]();
  const [first, second] = await kept(acme, conversationId);
  expect(first).toMatchObject({ number: 1, openedBy: "visitor", replies: 0, resolvedAt: expect.any(Number) });
  expect(second).toMatchObject({
    number: 2,
    openedAt: reopened,
    openedBy: "visitor",
    firstReplyBy: acme.ada.id,
    firstReplyMs: 10 * MINUTE_MS,
    firstReplyOpenMs: 10 * MINUTE_MS,
    replies: 1,
    waitingSince: null,
  });
});

test("who opened an episode, and who resolved it, is kept", async () => {
  const acme = await team();
  const { conversationId, contactId, acts } = await chat(acme);
  await acts["Ada resolves"]();
  await acts["Ada reopens"]();
  const [first, second] = await kept(acme, conversationId);
  expect(first).toMatchObject({ openedBy: "visitor", openedById: contactId });
  expect(JSON.parse(first?.resolvedBy ?? "{}")).toEqual({ agent: acme.ada });
  expect(second).toMatchObject({ openedBy: "agent", openedById: acme.ada.id, waitingSince: null });
  await acts["a rule resolves"]();
  await acts["a rule reopens"]();
  const [, third] = await kept(acme, conversationId);
  expect(third).toMatchObject({ number: 3, openedBy: "program", openedById: expect.any(String) });
});

test("a first reply and a resolution are measured in the widget's hours too, as they are at that moment", async () => {
  const acme = await team();
  const { conversationId, acts } = await chat(acme);
  const asked = clock.now();
  await acts["hours are set"]();
  clock.advance(6 * 60 * MINUTE_MS);
  await acts["Ada replies"]();
  const replied = clock.now();
  // Changed hours change nothing that was measured.
  await acts["no hours are set"]();
  await acts["Vera writes"]();
  await acts["Ada resolves"]();
  const [episode] = await kept(acme, conversationId);
  const inHours = openTime(hours, asked, replied);
  expect(inHours).toBeLessThan(replied - asked);
  expect(episode).toMatchObject({ firstReplyMs: replied - asked, firstReplyOpenMs: inHours });
  expect(episode).toMatchObject({ resolutionMs: replied - asked, resolutionOpenMs: replied - asked });
});

test("each episode can be rated, with the same stars too; the same word again changes nothing", async () => {
  const acme = await team();
  const { conversationId, acts } = await chat(acme);
  await acts["Ada resolves"]();
  await acts["Vera rates it 5"]();
  const recorded = (await acme.events()).length;
  await acts["Vera rates it 5"]();
  expect((await acme.events()).length).toBe(recorded);
  await acts["Vera writes"]();
  // Still of the first one, which was resolved last.
  await acts["Vera rates it 2"]();
  await acts["Ada resolves"]();
  await acts["Vera rates it 2"]();
  expect((await kept(acme, conversationId)).map(({ rating }) => rating)).toEqual([2, 2]);
});

test("no payload shows what is kept for reports", async () => {
  const acme = await team();
  const { acts } = await chat(acme);
  await acts["Ada replies"]();
  await acts["Ada resolves"]();
  const events = await acme.events();
  expect(events.filter(({ internal }) => internal !== null).map(({ name }) => name)).toEqual([
    "conversation.created",
    "message.sent",
    "conversation.resolved",
  ]);
  for (const { data } of events) expect(JSON.stringify(data)).not.toMatch(/open_ms|sent_via|opened_by/);
});
