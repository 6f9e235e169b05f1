/** The checker itself: it finds nothing when all is well, and finds everything that a crash could leave behind. */

import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { disorderIn } from "./disorder.ts";

const { team, storage } = await startTestApp();

/** A team with some of everything. */
async function busyTeam(): Promise<TestTeam> {
  const acme = await team();
  const attachments = [{ url: "https://files.test/a.png" }, { url: "https://files.test/b.png" }];
  const { conversationId, contactId } = await veraWrites(acme);
  await adaReplies(acme, conversationId, { attachments });
  await adaReplies(acme, conversationId, { type: "note" });
  await adaSets(acme, conversationId, "resolved");
  await veraWrites(acme, { contact_id: contactId });
  await acme.post("/webhooks", { endpoint_url: "https://a.test/hook", events: ["message.sent"] });
  await acme.post("/agents/invite", { agents: ["grace@acme.test"] });
  return acme;
}

const problemsOf = async (acme: TestTeam) =>
  (await disorderIn(storage)).filter((problem) => problem.includes(acme.teamId)).join("\n");

test("what the product has written is in order", async () => {
  await busyTeam();
  expect(await disorderIn(storage)).toEqual([]);
});

test("what an erasure is still to erase is in order", async () => {
  const acme = await busyTeam();
  const { contactId } = await veraWrites(acme);
  // No job runs here: the erasure stays at its first commit.
  expect((await acme.delete(`/contacts/${contactId}`)).status).toBe(202);
  expect((await acme.delete(`/widgets/${acme.widgetId}`, { conversations: "erase" })).status).toBe(202);
  expect(await disorderIn(storage)).toEqual([]);
});

test.each([
  ["an event is missing", "DELETE FROM events WHERE TEAM AND number = 3", /has the number 4/],
  ["an event came twice", "UPDATE events SET number = 99 WHERE TEAM AND number = 3", /has the number/],
  ["the counter of events ran ahead", "UPDATE team_counters SET event_number = event_number + 1 WHERE TEAM", /counter/],
  ["a total ran ahead", "UPDATE team_counters SET contacts = contacts + 1 WHERE TEAM", /total of contacts/],
  ["a period has lost a row", "UPDATE list_counts SET count = count - 1 WHERE TEAM", /kept count/],
  ["an attachment is missing", "DELETE FROM attachments WHERE TEAM AND position = 1", /lost an attachment/],
  ["a text is another one", "UPDATE messages SET content = 'x' WHERE TEAM AND sort_number = 2", /another text/],
  ["the newest message is missing", "DELETE FROM messages WHERE TEAM AND sort_number = 4", /is not there/],
  [
    "unread messages were not counted",
    "UPDATE conversations SET unread_messages = 0 WHERE TEAM",
    /says unread_messages/,
  ],
  ["messages were not counted", "UPDATE conversations SET message_count = 3 WHERE TEAM", /says message_count/],
  ["a status without its event", "UPDATE conversations SET is_resolved = 1 WHERE TEAM", /says status/],
  ["a subscription is missing", "DELETE FROM webhooks WHERE TEAM", /webhooks/],
])("it sees when %s", async (_what, change, told) => {
  const acme = await busyTeam();
  expect(await problemsOf(acme)).toBe("");
  await query(storage, change.replace("TEAM", `team_id = '${acme.teamId}'`));
  expect(await problemsOf(acme)).toMatch(told);
});
