/** The tool view-tags as an operation. */

import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { addTag } from "./add-tag.ts";
import { listTags } from "./list-tags.ts";

const { app, team } = await startTestApp();

test("a new team has no tags", async () => {
  expect(await app.perform((await team()).actor, listTags, {})).toEqual([]);
});

test("the tags of the team, and of no other, are listed by name with id, name and color", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId } = await veraWrites(acme);
  for (const name of ["zoo", "Äpfel", "apple", "Order 10", "Order 9", "返品"]) {
    await app.perform(acme.actor, addTag, { conversationId, name, color: `color of ${name}` });
  }
  await app.perform(sams.actor, addTag, { conversationId: (await veraWrites(sams)).conversationId, name: "bear" });
  const names = ["Äpfel", "apple", "Order 9", "Order 10", "zoo", "返品"];
  expect(await app.perform(acme.actor, listTags, {})).toEqual(
    names.map((name) => ({ id: expect.any(String), name, color: `color of ${name}` })),
  );
});
