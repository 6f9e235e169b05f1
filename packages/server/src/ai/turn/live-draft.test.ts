/** What is seen of an answer while the model writes it (docs/decisions/0085-drafts-of-answers.md). */
import { DraftFrame } from "@frontdesk/core/contract/live";
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { type LiveSocket, listen } from "@frontdesk/testing/live-client";
import { startRedis } from "@frontdesk/testing/redis-server";
import { appOn, openBeside } from "@frontdesk/testing/second-app";
import { afterAll, afterEach, expect, test } from "vitest";
import { blockContact } from "../../contacts/block-contact.ts";
import { assignAgent } from "../../conversations/assign-agent.ts";
import { setConversationStatus } from "../../conversations/set-conversation-status.ts";
import type { AiChange } from "../settings/update-ai.ts";
import { updateAi } from "../settings/update-ai.ts";
import { takeOver } from "../speaker/take-over.ts";

const redis = await startRedis();
const scene = await startAiScene({ REDIS_URL: redis.url });
const { app, model, storage, runtime, timeouts, env } = scene;
afterAll(() => model.stop());
afterEach(() => model.forget());
// Another process of the same installation: its streams hear of what this one writes through Redis alone.
const beside = await appOn({ storage: await openBeside(storage), runtime, timeouts, env });
const origins = [scene.origin, await beside.start()];

const QUESTION = "How long does a parcel take?";
const GREETING = "I’m Robin, an AI assistant. You can ask for a person at any time.";
const FIRST = "Parcels arrive within 3 working days.";
const ANSWER = `ANSWER\n${FIRST} [1] They arrive in all of Germany. [1] Nothing more is known.`;
/** The second sentence has begun by then. */
const SOME = 60;

const drafts = ({ frames }: LiveSocket) => frames.filter(({ type }) => type === "draft");
const texts = (socket: LiveSocket) => drafts(socket).map(({ text }) => text);
const all = <Value>(screens: readonly LiveSocket[], read: (socket: LiveSocket) => Value) => screens.map(read);

/** Vera asks; she and Ada look on at both processes. */
async function vera(change: AiChange = {}, question = QUESTION) {
  const acme = await scene.team({ streamed: true, ...change });
  const page = browser(app, acme);
  const { body } = await page.write(question, { name: "Vera" });
  const { conversation_id: conversationId, sort_number } = body.message;
  const screens = await Promise.all(
    origins.flatMap((origin) => [
      listen(origin, { token: page.token, widget_id: acme.widgetId }),
      listen(origin, { token: acme.apiKey }),
    ]),
  );
  await Promise.all(screens.map((screen) => screen.heard("ready")));
  return {
    acme,
    page,
    conversationId: String(conversationId),
    contactId: String(body.contact.id),
    sort_number,
    screens,
  };
}

/** Vera's question is answered up to the middle: its first sentence is seen at every screen. */
async function half(change: AiChange = {}) {
  const seen = await vera(change);
  model.answerNext(ANSWER);
  const pause = model.pauseNext(SOME);
  scene.pass(1_300);
  await pause.asked;
  await Promise.all(seen.screens.map((screen) => screen.heard("draft")));
  return { ...seen, pause };
}

async function ends(conversationId: string) {
  await expect
    .poll(async () => {
      scene.pass(1_000);
      return (await scene.runs(conversationId)).length;
    })
    .toBeGreaterThan(0);
}

test("whole sentences are seen at every screen in every process while the model writes, and the message begins with them", async () => {
  const { acme, page, conversationId, sort_number, screens, pause } = await half();
  const [frame] = drafts(screens[0] as LiveSocket);
  expect(problemsOf(DraftFrame, frame)).toEqual([]);
  expect(frame).toMatchObject({
    ...{ conversation_id: conversationId, after: sort_number, agent: { name: "Robin" } },
    text: `${GREETING}\n\n${FIRST}`,
  });
  expect(all(screens, drafts)).toEqual(screens.map(() => [frame]));
  const late = await listen(scene.origin, { token: page.token, widget_id: acme.widgetId });
  await late.heard("ready");
  pause.go();
  await Promise.all(screens.map((screen) => expect.poll(() => screen.events().at(-1)?.message?.by_ai).toBe(true)));
  const [said] = await scene.said(conversationId);
  expect(said).toBe(`${GREETING}\n\n${FIRST} They arrive in all of Germany.`);
  for (const screen of screens) {
    expect(screen.events().at(-1).message.content).toBe(said);
    expect(texts(screen).every((text) => text !== "" && said?.startsWith(text))).toBe(true);
    const seqs = drafts(screen).map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
  }
  // A draft is never replayed.
  expect(texts(late)).not.toContain(frame.text);
});

const endings: [string, (seen: Awaited<ReturnType<typeof half>>) => Promise<unknown>][] = [
  [
    "an agent's message",
    ({ acme, conversationId }) => acme.post("/messages", { conversation_id: conversationId, content: "Hi" }),
  ],
  ["the visitor's next message", ({ page }) => page.say("And to Austria?")],
  ["taking over", ({ acme, conversationId }) => app.perform(acme.actor, takeOver, { conversationId })],
  [
    "an assignment",
    ({ acme, conversationId }) => app.perform(acme.actor, assignAgent, { conversationId, agentId: acme.ada.id }),
  ],
  [
    "resolving",
    ({ acme, conversationId }) =>
      app.perform(acme.actor, setConversationStatus, { conversationId, status: "resolved", agentId: undefined }),
  ],
  ["blocking", ({ acme, contactId }) => app.perform(acme.actor, blockContact, { contactId })],
  ["switching the AI off", ({ acme }) => app.perform(acme.actor, updateAi, { is_active: false })],
  [
    "the wish for a person",
    ({ page, conversationId }) => page.ask("POST", "/handoff", { conversation_id: conversationId }),
  ],
];

test.each(endings)("after %s the draft is withdrawn, and no other one of the turn is seen", async (_name, end) => {
  const seen = await half();
  await end(seen);
  seen.pause.go();
  await ends(seen.conversationId);
  for (const screen of seen.screens) {
    await expect.poll(() => texts(screen)).toEqual([`${GREETING}\n\n${FIRST}`, ""]);
  }
});

test.each([
  ["the answer fails its checks", `${ANSWER.slice(0, -23)} They cost 9 €. [1]`],
  ["the answer is too long for the model", undefined],
])("when %s, what was shown of it is withdrawn", async (_name, text) => {
  const seen = await vera();
  if (text === undefined) model.setQuirks({ finish: "length" });
  // Asked again it says the same, then it hands over.
  model.answerNext(...Array<string>(3).fill(text ?? ANSWER));
  scene.pass(1_300);
  await ends(seen.conversationId);
  model.setQuirks({});
  expect(await scene.runs(seen.conversationId)).toMatchObject([{ outcome: "handed-over" }]);
  for (const screen of seen.screens) {
    await expect.poll(() => texts(screen).at(-1)).toBe("");
    expect(texts(screen).join()).toContain(FIRST);
  }
});

test.each([
  ["a liar", `ANSWER\nParcels arrive within 9 working days. [1] ${FIRST.replace("3", "8")} [1] They come. [1] Or so.`],
  ["a forgetful one", `ANSWER\n${FIRST} They arrive in all of Germany. Nothing more is known.`],
  ["one that promises", "ANSWER\nWe will call you tomorrow. [1] I will send you the money. [1] Nothing more is known."],
  ["one that only talks", "CHAT\nHello there. How are you? I am glad that you ask. It is a nice day to do so."],
  ["one that asks", "ASK\nThat depends. Which parcel do you mean? Is it one of ours? Or of someone else?"],
  ["one that hands over", `HANDOFF\n${ANSWER.slice(7)}`],
])("nothing is seen early of %s", async (_name, text) => {
  const { conversationId, screens } = await vera();
  model.answerNext(text, text, text);
  scene.pass(1_300);
  await ends(conversationId);
  await Promise.all(screens.map((screen) => expect.poll(() => screen.events().length).toBeGreaterThan(0)));
  expect(all(screens, texts)).toEqual(screens.map(() => []));
});

test("what was taken out of the request is back in what is seen, and without the setting nothing is", async () => {
  const ask = "Is vera@example.com the address? How long does a parcel take?";
  const { conversationId, screens } = await vera({ redacts: true }, ask);
  model.answerNext(
    "ANSWER\nFor ‹email 1› parcels arrive within 3 working days. [1] They arrive in all of Germany. [1] So it is.",
  );
  scene.pass(1_300);
  await ends(conversationId);
  for (const screen of screens) {
    await expect
      .poll(() => texts(screen).at(-1))
      .toContain("For vera@example.com parcels arrive within 3 working days.");
  }
  const off = await vera({ streamed: false });
  model.answerNext(ANSWER);
  scene.pass(1_300);
  await ends(off.conversationId);
  expect(await scene.said(off.conversationId)).toHaveLength(1);
  expect(all(off.screens, texts)).toEqual(off.screens.map(() => []));
});

test("a call that is repeated in the middle begins anew, and is answered", async () => {
  const { conversationId, screens } = await vera();
  const long = `${ANSWER} ${"It is as it is. ".repeat(10)}`;
  model.answerNext(long, long);
  model.setPersona("cut");
  scene.pass(1_300);
  await Promise.all(screens.map((screen) => screen.heard("draft")));
  model.setPersona("honest");
  await ends(conversationId);
  expect(await scene.runs(conversationId)).toMatchObject([{ outcome: "answered" }]);
  const [said] = await scene.said(conversationId);
  for (const screen of screens) await expect.poll(() => said?.startsWith(texts(screen).at(-1) || "-")).toBe(true);
});
