/**
 * Another voice at every moment of a turn, with two processes that run turns: before each of its commits, and while the model
 * thinks or writes. After it the AI says no word, and no draft of one is seen (reference rows B10 and B11). A further message of
 * the visitor it answers.
 */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { inDepth } from "@frontdesk/testing/depth";
import { storageGate } from "@frontdesk/testing/gated-storage";
import { type LiveSocket, listen } from "@frontdesk/testing/live-client";
import { modern, post, request } from "@frontdesk/testing/mcp-requests";
import { appOn, openBeside, overTheWire, query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { engine, type TestTeam } from "@frontdesk/testing/test-kit";
import { connect } from "@frontdesk/testing/tool-caller";
import { afterAll, expect, test } from "vitest";
import { blockContact } from "../../contacts/block-contact.ts";
import { assignAgent } from "../../conversations/assign-agent.ts";
import { setConversationStatus } from "../../conversations/set-conversation-status.ts";
import { addArticle } from "../../knowledge/add-article.ts";
import { updateAi } from "../settings/update-ai.ts";
import { askForPerson } from "../speaker/ask-for-person.ts";
import { takeOver } from "../speaker/take-over.ts";

const gate = storageGate();
const scene = await startAiScene({}, gate.before);
const { app, model, storage, runtime, timeouts, env } = scene;
afterAll(() => model.stop());
// On SQLite two connections of one thread would wait for one another.
const own = engine === "postgres" ? await openBeside(storage) : { ...storage, close: async () => {} };
const otherOrigin = await (await appOn({ storage: gate.before(own), runtime, timeouts, env })).start();

const QUESTION = "How long does a parcel take?";
const FIRST = "Parcels arrive within 3 working days.";
/** One unreadable answer, and one of which the sentences are seen as they come. */
const ANSWERS = [
  "Well, let me think.",
  `ANSWER\n${FIRST} [1] Within 3 working days in all of Germany. [1] That is all that is known here.`,
];
/** The first sentence is sent by then. */
const SOME = 60;
/** Commits of a turn with two calls, and of another process that is too late to claim it. */
const COMMITS = 9;
const CALLS = 2;
const ROUNDS = inDepth(1, 50);

type Moment = { commit: number } | { call: number } | { written: number };

interface Where {
  conversationId: string;
  contactId: string;
}
type Voice = (where: Where) => Promise<unknown>;
type Joined = (team: TestTeam) => Promise<Voice>;

const sees = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBeLessThan(300);

const voices: [string, Joined][] = [
  [
    "an agent's message",
    async (team) => {
      const mia = await signedIn(scene, team);
      return ({ conversationId }) => sees(mia.post("/v1/messages", { conversation_id: conversationId, content: "Hi" }));
    },
  ],
  [
    "the message of an API key",
    async (team) =>
      ({ conversationId }) =>
        sees(team.post("/messages", { conversation_id: conversationId, content: "Hi" })),
  ],
  [
    "an assistant's reply over HTTP",
    async (team) => {
      const robin = await connect(app, team);
      return ({ conversationId }) => robin.result("send-message", { conversation_id: conversationId, content: "Hi" });
    },
  ],
  [
    "an assistant's reply over MCP",
    async (team) => {
      const { token } = await connect(app, team);
      return async ({ conversationId }) => {
        const given = { conversation_id: conversationId, content: "Hi" };
        const call = modern(request(1, "tools/call", { name: "send-message", arguments: given }));
        const { status, text } = await post(scene.origin, { token }, call);
        expect([status, text.includes('"isError":true')]).toEqual([200, false]);
      };
    },
  ],
  [
    "an assignment",
    async ({ actor, ada }) =>
      ({ conversationId }) =>
        app.perform(actor, assignAgent, { conversationId, agentId: ada.id }),
  ],
  [
    "taking over",
    async ({ actor }) =>
      ({ conversationId }) =>
        app.perform(actor, takeOver, { conversationId }),
  ],
  [
    "resolving",
    async ({ actor }) =>
      ({ conversationId }) =>
        app.perform(actor, setConversationStatus, { conversationId, status: "resolved", agentId: undefined }),
  ],
  [
    "blocking",
    async ({ actor }) =>
      ({ contactId }) =>
        app.perform(actor, blockContact, { contactId }),
  ],
  [
    "switching the AI off",
    async ({ actor }) =>
      () =>
        app.perform(actor, updateAi, { is_active: false }),
  ],
  [
    "the visitor's wish for a person",
    async ({ teamId, widgetId }) =>
      ({ conversationId, contactId }) => {
        const visitor = {
          kind: "visitor",
          teamId,
          widgetId,
          tokenHash: "",
          contactId,
          verifiedUntil: undefined,
        } as const;
        return app.perform(visitor, askForPerson, { conversationId });
      },
  ],
];
/** Those after which a visitor is told that a person answers, at once: the words of a handoff, and no answer. */
const WITH_WORDS = ["switching the AI off", "the visitor's wish for a person"];

const visitorMessage = ({ apiKey }: TestTeam, body: object) => ({
  ...{ method: "POST", path: "/api/v1/conversations", body: JSON.stringify(body) },
  headers: { "x-api-key": apiKey, "content-type": "application/json" },
});

const turns = (conversationId: string) =>
  query(storage, `SELECT * FROM ai_turns WHERE conversation_id = '${conversationId}'`);
const messages = (conversationId: string) =>
  query(
    storage,
    `SELECT sent_via, content FROM messages WHERE conversation_id = '${conversationId}' AND type = 'message' ORDER BY sort_number`,
  );

/** The turn has come to the moment, or to its end before it. */
async function comesTo(moment: Promise<void>, conversationId: string): Promise<boolean> {
  let isThere = false;
  void moment.then(() => {
    isThere = true;
  });
  await expect.poll(async () => isThere || (await scene.runs(conversationId)).length > 0, { interval: 5 }).toBe(true);
  return isThere;
}

let seen = 0;

/** The drafts on a screen that was told already that another one speaks, or that the conversation is over. */
function draftsTooLate({ frames }: LiveSocket): unknown[] {
  const over = new Set<string>();
  return frames.filter((frame) => {
    const { type, name, conversation, message, conversation_id, text } = frame;
    const isVoice = name === "message.sent" && message?.sent_via !== "ai";
    if (type === "event" && conversation) {
      const isOver = isVoice || conversation.speaker !== "ai" || conversation.is_resolved || conversation.is_blocked;
      if (isOver) over.add(conversation.id);
    }
    return type === "draft" && text !== "" && over.has(conversation_id);
  });
}

const draftsOf = ({ frames }: LiveSocket, id: string): number =>
  frames.filter(({ type, conversation_id, text }) => type === "draft" && text !== "" && conversation_id === id).length;

/** One turn with a voice at a moment: what was there before the voice, and what has come since. */
/** @param screens of both processes; one sees the draft of an answer before the voice comes in its middle */
async function round(team: TestTeam, speak: Voice, at: Moment, screens: readonly LiveSocket[] = []) {
  // The second call comes from a first line that can't be read.
  model.answerNext(...ANSWERS);
  const where = await scene.write(team, QUESTION);
  const calls = "call" in at ? Array.from({ length: at.call }, () => model.holdNext()) : [];
  if ("written" in at) calls.push(model.pauseNext(at.written));
  const stop = "commit" in at ? gate.stopAt(team.teamId, at.commit) : undefined;
  scene.pass(1_300);
  for (const call of calls.slice(0, -1)) {
    await call.asked;
    call.go();
  }
  const isThere = await comesTo(stop?.reached ?? (calls.at(-1)?.asked as Promise<void>), where.conversationId);
  // Else the voice itself would stop there.
  if (!isThere) stop?.go();
  if (screens.length > 0 && isThere && "written" in at) {
    const hasDraft = () => screens.some((screen) => draftsOf(screen, where.conversationId) > 0);
    await expect.poll(hasDraft, { interval: 5 }).toBe(true);
    seen += 1;
  }
  const before = await messages(where.conversationId);
  try {
    await speak(where);
  } finally {
    stop?.go();
    calls.at(-1)?.go();
  }
  await expect
    .poll(
      async () => {
        scene.pass(1_000);
        return [(await scene.runs(where.conversationId)).length > 0, (await turns(where.conversationId)).length];
      },
      { interval: 5 },
    )
    .toEqual([true, 0]);
  model.forget();
  return { before, since: (await messages(where.conversationId)).slice(before.length) };
}

const moments = [
  ...Array.from({ length: COMMITS }, (_, commit) => ({ commit: commit + 1 })),
  ...Array.from({ length: CALLS }, (_, call) => ({ call: call + 1 })),
  { written: SOME },
];

test.each(voices)(
  "after %s the AI says no word, whenever it comes",
  async (name, join) => {
    for (let time = 0; time < ROUNDS; time += 1) {
      // Within the limits of an assistant.
      const team = await scene.team({ streamed: true });
      const speak = await join(team);
      const token = team.apiKey;
      const screens = [await listen(scene.origin, { token }), await listen(otherOrigin, { token })];
      for (const screen of screens) await screen.heard("ready");
      for (const at of moments) {
        const { before, since } = await round(team, speak, at, screens);
        expect(screens.flatMap(draftsTooLate), JSON.stringify(at)).toEqual([]);
        // The other process may have answered while the voice was on its way.
        const voice = Math.max(
          0,
          since.findIndex(({ sent_via }) => sent_via !== "ai"),
        );
        const ofAi = since.slice(voice).filter(({ sent_via }) => sent_via === "ai");
        const label = `${JSON.stringify(at)}: ${JSON.stringify(since)}`;
        // Where it had answered before the voice came, nobody waits.
        const isAnswered = before.length > 1;
        if (WITH_WORDS.includes(name)) {
          expect(ofAi.length, label).toBeLessThanOrEqual(1);
          expect(JSON.stringify(ofAi), label).not.toContain("working days");
          if (!isAnswered) expect(ofAi, label).toHaveLength(1);
        } else expect(ofAi, label).toEqual([]);
        if (name === "switching the AI off") await app.perform(team.actor, updateAi, { is_active: true });
      }
    }
  },
  600_000,
);

test("a further message of the visitor is answered, too, whenever it comes, and hands nothing over", async () => {
  const team = await scene.team();
  const article = { question: "Where is the warehouse?", answer: "The warehouse is in Rotterdam.", isPublished: true };
  await app.perform(team.actor, addArticle, article as never);
  for (let time = 0; time < ROUNDS; time += 1) {
    for (const at of moments) {
      let conversationId = "";
      const { before, since } = await round(
        team,
        async (where) => {
          ({ conversationId } = where);
          const body = { widget_id: team.widgetId, content: article.question, contact_id: where.contactId };
          // To the process that runs the turn: it hears of it at once.
          await sees(overTheWire(scene.origin, visitorMessage(team, body)));
        },
        at,
      );
      const label = `${JSON.stringify(at)}: ${JSON.stringify([...before, ...since])}`;
      const voices = [...before, ...since].map(({ sent_via }) => (sent_via === "ai" ? "AI" : "visitor")).join();
      expect(["visitor,visitor,AI", "visitor,AI,visitor,AI"], label).toContain(voices);
      const outcomes = (await scene.runs(conversationId)).map(({ outcome }) => outcome);
      expect(outcomes, label).not.toContain("handed-over");
    }
  }
});

test("drafts were seen in these turns", () => {
  expect(seen).toBe(voices.length * ROUNDS);
});
