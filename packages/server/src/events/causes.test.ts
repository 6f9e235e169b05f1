import { automatedActors } from "@frontdesk/testing/automated-actors";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import type { Actor } from "../access/actor.ts";
import { addTag } from "../tags/add-tag.ts";

const { app, team, runtime } = await startTestApp();

test("an event says which automations led to it, the first one first", async () => {
  const acme = await team();
  const { automation, ai } = automatedActors(acme);
  const { conversationId } = await veraWrites(acme);
  const first = runtime.newId();
  const tags = (actor: Actor, name: string) =>
    eventsOf(acme, () => app.perform(actor, addTag, { conversationId, name })).then((events) =>
      events.map(({ name, cause }) => ({ name, cause })),
    );
  const begun = JSON.stringify([automation.automationId]);
  expect(await tags(automation, "Shipping")).toEqual([
    { name: "tag.created", cause: begun },
    { name: "tag.assigned", cause: begun },
  ]);
  expect(await tags({ ...automation, chain: [first] }, "Returns")).toEqual([
    { name: "tag.created", cause: JSON.stringify([first, automation.automationId]) },
    { name: "tag.assigned", cause: JSON.stringify([first, automation.automationId]) },
  ]);
  expect(await tags(ai, "Urgent")).toEqual([
    { name: "tag.created", cause: null },
    { name: "tag.assigned", cause: null },
  ]);
});

test("what people and programs do has no cause, and no payload shows one", async () => {
  const acme = await team();
  const { automation } = automatedActors(acme);
  const { conversationId } = await veraWrites(acme);
  await adaReplies(acme, conversationId);
  await adaSets(acme, conversationId, "resolved");
  expect((await acme.events()).filter(({ cause }) => cause !== null)).toEqual([]);
  const [, tagged] = await eventsOf(acme, () => app.perform(automation, addTag, { conversationId, name: "Shipping" }));
  expect(Object.keys(tagged?.data ?? {})).toEqual(["conversation", "visitor", "tag", "assigned_by"]);
});
