/** A server that is killed outright while it erases goes on when it is back, and the end is the same (docs/decisions/0053-erasing.md). */
import { enginesOf } from "@frontdesk/testing/installation";
import { expect, inject, onTestFinished, test } from "vitest";
import { rowsOf } from "../packages/server/test/attack/disorder.ts";
import { seeded } from "../packages/server/test/attack/kill-while-writing.ts";
import { killAndStartAgain, restOf } from "../packages/server/test/attack/killed-in-jobs.ts";
import { newServerProcess } from "../packages/server/test/attack/server-process.ts";

/** More than are erased in three commits. */
const REPLIES = 350;
/** A job has six attempts; after them the hourly clean-up begins it again. */
const KILLS = 5;
/** An erasure of this size takes about as long. */
const KILLED_WITHIN_MS = 150;

const cases = enginesOf("sqlite").flatMap((engine) =>
  (["contact", "conversation"] as const).map((what) => [what, engine] as const),
);

test.each(cases)("a %s is erased whole, and once, however often the server is killed (%s)", async (what, engine) => {
  const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined);
  onTestFinished(() => server.remove());
  const team = await server.team("Acme");
  await server.start();
  const seed = Date.now();
  const random = seeded(seed);
  const ask = restOf(server, team);
  const write = (content: string, more: object = {}) =>
    ask("POST", "/conversations", { widget_id: team.widgetId, content, ...more });
  const { attributes } = (await write("canary 0", { name: "canary", email: "canary@acme.test" })).data;
  await write("I stay", { name: "Otto" });
  const { conversation_id: conversation, chat_contact_id: contact } = attributes;
  for (let sent = 0; sent < REPLIES; sent += 50) {
    const some = Array.from({ length: 50 }, (_, index) => `canary ${sent + index}`);
    await Promise.all(
      some.map((content) =>
        ask("POST", "/messages", { conversation_id: conversation, content, agent_id: team.agentId }),
      ),
    );
  }

  const path = what === "contact" ? `/contacts/${contact}` : `/conversations/${conversation}`;
  const { data } = await ask("DELETE", path, {});
  for (let kill = 0; kill < KILLS; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, random() * KILLED_WITHIN_MS));
    await killAndStartAgain(server);
  }
  const erasure = async () => (await ask("GET", `/erasures/${data.id}`)).data.attributes;
  await expect.poll(async () => (await erasure()).state, { message: `seed ${seed}` }).toBe("done");
  expect((await erasure()).erased, `seed ${seed}`).toMatchObject({ conversations: 1, messages: REPLIES + 1 });

  const storage = server.open();
  const left = await storage.write(null, async (db) => ({
    events: await rowsOf(db, "SELECT number FROM events WHERE name = 'contact.erased'"),
    texts: await rowsOf(db, "SELECT id FROM messages WHERE content LIKE 'canary%'"),
    payloads: await rowsOf(db, "SELECT number FROM events WHERE data LIKE '%canary%' AND name <> 'contact.updated'"),
    waiting: await rowsOf(db, "SELECT conversation_id AS id FROM erased_conversations"),
    gaps: await rowsOf<{ gaps: number }>(db, "SELECT max(number) - count(*) AS gaps FROM events"),
    stays: await rowsOf(db, "SELECT id FROM messages WHERE content = 'I stay'"),
  }));
  await storage.close();
  expect(left.events).toHaveLength(what === "contact" ? 1 : 0);
  expect([left.texts, left.waiting, Number(left.gaps[0]?.gaps)]).toEqual([[], [], 0]);
  // A contact whose conversation is erased stays, with its name.
  if (what === "contact") expect(left.payloads).toEqual([]);
  expect(left.stays).toHaveLength(1);
});
