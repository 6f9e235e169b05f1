/** A server that is killed while it erases what a removed widget had goes on when it is back (docs/decisions/0057-removing-widgets.md). */
import { inDepth } from "@frontdesk/testing/depth";
import { enginesOf } from "@frontdesk/testing/installation";
import { expect, inject, onTestFinished, test } from "vitest";
import { visitorWrites } from "../packages/server/test/attack/counting-subscriber.ts";
import { rowsOf } from "../packages/server/test/attack/disorder.ts";
import { killAndStartAgain, restOf } from "../packages/server/test/attack/killed-in-jobs.ts";
import { newServerProcess } from "../packages/server/test/attack/server-process.ts";

/** More than are hidden in one commit. */
const CONTACTS = 25;
/** The first in the middle, the second at any moment. */
const KILLS = inDepth(1, 2);

test.each(enginesOf("sqlite"))(
  "a widget is erased once, whole, and with one event a contact, however often the server is killed (%s)",
  async (engine) => {
    const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined);
    onTestFinished(() => server.remove());
    const team = await server.team("Acme");
    await server.start();
    const ask = restOf(server, team);
    const total = async (path: string): Promise<number> => (await ask("GET", path)).meta.pagination.total;
    const stays = (await ask("POST", "/widgets", { name: "Shop" })).data.id;
    await visitorWrites(server, { ...team, widgetId: stays }, "I stay");
    await Promise.all(Array.from({ length: CONTACTS }, (_, count) => visitorWrites(server, team, `canary ${count}`)));

    const { data } = await ask("DELETE", `/widgets/${team.widgetId}`, { conversations: "erase" });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await total("/contacts");
      if (kill === 0 && before > 1) await expect.poll(() => total("/contacts")).toBeLessThan(before);
      await killAndStartAgain(server);
    }
    const erasure = async () => (await ask("GET", `/erasures/${data.id}`)).data.attributes;
    await expect.poll(async () => (await erasure()).state).toBe("done");
    expect((await erasure()).erased).toMatchObject({
      ...{ contacts: CONTACTS, conversations: CONTACTS, messages: CONTACTS },
    });
    expect([await total("/widgets"), await total("/contacts"), await total("/conversations/all")]).toEqual([1, 1, 1]);

    const storage = server.open();
    const rows = await storage.write(null, async (db) => ({
      told: await rowsOf<{ data: string }>(db, "SELECT data FROM events WHERE name = 'contact.erased'"),
      left: await rowsOf(db, "SELECT id FROM messages WHERE content LIKE 'canary%'"),
      waiting: await rowsOf(db, "SELECT conversation_id FROM erased_conversations"),
    }));
    await storage.close();
    expect(new Set(rows.told.map((row) => row.data)).size).toBe(CONTACTS);
    expect(rows.told).toHaveLength(CONTACTS);
    expect([rows.left, rows.waiting]).toEqual([[], []]);
  },
);
