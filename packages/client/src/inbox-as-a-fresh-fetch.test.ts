/** Proves the agents' live stream: the old state and its events equal a fresh fetch. */
import { randomUUID } from "node:crypto";
import { inDepth } from "@frontdesk/testing/depth";
import { eraseOldFiles } from "@frontdesk/testing/erase-old-files";
import { aiOf } from "@frontdesk/testing/held-by-ai";
import { openAiDrafts, randomAi } from "@frontdesk/testing/random-ai";
import { startRedis } from "@frontdesk/testing/redis-server";
import { startTestApp } from "@frontdesk/testing/test-kit";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createApiKey } from "../../server/src/access/create-api-key.ts";
import { createAgent } from "../../server/src/agents/create-agent.ts";
import { requestHandoff } from "../../server/src/conversations/request-handoff.ts";
import { eraseContact } from "../../server/src/privacy/erase-contact.ts";
import { eraseConversation } from "../../server/src/privacy/erase-conversation.ts";
import { redactMessage } from "../../server/src/privacy/redact-message.ts";
import { deleteTag } from "../../server/src/tags/delete-tag.ts";
import { listTags } from "../../server/src/tags/list-tags.ts";
import { updateTag } from "../../server/src/tags/update-tag.ts";
import { type ShiftCounts, workShift } from "./shift-for-tests.ts";
import { type ShiftStep, shiftSteps } from "./shift-steps-for-tests.ts";

const SHIFTS = inDepth(14, 40);
const MOST_STEPS = 40;

/** A shift in which everything that is counted happens, whatever the random ones do. */
const EVERYTHING: ShiftStep[] = [
  { step: "a visitor writes", visitor: 0 },
  { step: "a visitor writes", visitor: 1 },
  { step: "all is quiet" },
  { step: "ben sends a file", visitor: 0 },
  { step: "all is quiet" },
  { step: "files are old" },
  { step: "ada opens a list", tab: 0, list: { view: "open" } },
  { step: "ada opens a conversation", tab: 0, visitor: 0 },
  { step: "all is quiet" },
  { step: "an answer is lost" },
  { step: "ada replies", tab: 0, visitor: 0 },
  { step: "all is quiet" },
  { step: "a message is redacted", visitor: 0, back: 0 },
  { step: "ada replies", tab: 0, visitor: 0 },
  { step: "a socket breaks" },
  { step: "all is quiet" },
  { step: "a conversation is erased", visitor: 1 },
  { step: "ada opens a list", tab: 1, list: { view: "with_ai" } },
  { step: "the ai does", visitor: 0, deed: "holds" },
  { step: "a visitor writes", visitor: 0 },
  { step: "all is quiet" },
  { step: "the ai does", visitor: 0, deed: "drafts" },
  { step: "a moment passes", ms: 60 },
  { step: "the ai does", visitor: 0, deed: "answers" },
  { step: "a moment passes", ms: 60 },
  { step: "a draft comes late" },
  { step: "the ai does", visitor: 0, deed: "hands over" },
];

let shifts = 0;
const redis = await startRedis();
const { app, storage, team, clock } = await startTestApp({ TRUST_PROXY: "true", REDIS_URL: redis.url });
const origin = await app.start();
const drafts = openAiDrafts(redis.url);
afterAll(drafts.close);

test("whatever happens in a shift, every screen ends with what the service has: lists, threads and counts", async () => {
  const all: ShiftCounts = {
    written: 0,
    sent: 0,
    listsCompared: 0,
    messagesCompared: 0,
    erased: 0,
    redacted: 0,
    filesErased: 0,
    byAi: 0,
    drafts: 0,
    draftsLate: 0,
    socketsBroken: 0,
    answersLost: 0,
  };
  await fc.assert(
    fc.asyncProperty(fc.array(shiftSteps, { minLength: 3, maxLength: MOST_STEPS, size: "max" }), async (taken) => {
      const acme = await team();
      const ai = randomAi(await aiOf(app, acme), (of, text) => drafts.publish(acme.teamId, of, text));
      const email = `ben-${randomUUID()}@acme.test`;
      const ben = await app.perform(acme.actor, createAgent, {
        name: "Ben",
        email,
        role: "CHAT_AGENT_MEMBER",
        passwordHash: null,
      });
      const { value: bensKey } = await app.perform(acme.actor, createApiKey, { name: "ben", agentId: ben.id });
      shifts += 1;
      const happened = await workShift(
        {
          origin: () => origin,
          widgetId: acme.widgetId,
          ada: { id: acme.ada.id, apiKey: acme.apiKey },
          ben: { id: ben.id, apiKey: bensKey },
          // Each shift's visitors have their own address: the limit of new visitors per address is tested elsewhere.
          headers: { "x-forwarded-for": `10.1.${shifts >> 8}.${shifts & 255}` },
          passes: () => clock.advance(1_000),
          async handsOff(conversationId) {
            await app.perform(acme.actor, requestHandoff, { conversationId }).catch(() => {});
          },
          ai,
          async erases(what) {
            if ("contactId" in what) await app.perform(acme.actor, eraseContact, what);
            else await app.perform(acme.actor, eraseConversation, what);
          },
          async redacts(messageId) {
            await app.perform(acme.actor, redactMessage, { messageId });
          },
          erasesFiles: () => eraseOldFiles({ app, storage }, acme.teamId),
          async tidiesTag(name, to) {
            const tag = (await app.perform(acme.actor, listTags, {})).find((each) => each.name === name);
            if (!tag) return;
            const asked = { tagId: tag.id, change: { name: to ?? "", merge: true } };
            if (to === null) await app.perform(acme.actor, deleteTag, { tagId: tag.id });
            else await app.perform(acme.actor, updateTag, asked);
          },
        },
        taken,
      );
      for (const name of Object.keys(all) as (keyof ShiftCounts)[]) all[name] += happened[name];
    }),
    // A failure shows as a timeout: shrinking the case would take too long.
    { numRuns: SHIFTS, endOnFailure: true, examples: [[EVERYTHING]] },
  );
  // The premise: everything was tried; how often is random.
  for (const [name, count] of Object.entries(all)) expect(count, name).toBeGreaterThan(0);
});
