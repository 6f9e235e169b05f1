/** The lists of an agent's inbox, narrowed by several tags and agents and by time, on both engines. */
import { randomUUID } from "node:crypto";
import type { LiveConversation } from "@frontdesk/core/contract/live";
import { type InboxQuery, inboxOrders, isInList } from "@frontdesk/core/domain/inbox";
import { deep } from "@frontdesk/testing/depth";
import { adasInbox, bensInbox } from "@frontdesk/testing/inbox-client";
import { sqlText } from "@frontdesk/testing/second-app";
import { engine, startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { initializeContact } from "../contacts/initialize-contact.ts";
import { FEW } from "./list-inbox.ts";

const { app, storage, team, clock } = await startTestApp();

/** Six conversations, each written a second after the one before. */
async function acmeAtWork() {
  const acme = await team();
  const [ada, ben] = [adasInbox(app, acme), await bensInbox(app, acme)];
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    clock.advance(1_000);
    ids.push((await veraWrites(acme)).conversationId);
  }
  const [first = "", second = "", third = ""] = ids;
  const tag = async (id: string, name: string): Promise<string> => {
    const { conversation } = await ada.post(`/conversations/${id}/tag`, { name });
    return conversation.tags.find((each: { name: string }) => each.name === name).id;
  };
  const refund = await tag(first, "refund");
  const vip = await tag(second, "vip");
  await tag(third, "refund");
  await tag(third, "vip");
  for (const [id, agent] of [
    [first, ada],
    [second, ben],
  ] as const)
    await ada.post(`/conversations/${id}/assign`, { agent_id: agent.agentId });
  const { conversations } = (await ada.get("/conversations?view=all")) as { conversations: LiveConversation[] };
  return { acme, ada, ben, ids, refund, vip, conversations };
}

const addressOf = ({ tag_ids, agent_ids, unread: _, ...rest }: InboxQuery) =>
  new URLSearchParams({
    ...rest,
    ...(tag_ids && { tag_ids: tag_ids.join() }),
    ...(agent_ids && { agent_ids: agent_ids.join() }),
  });

test("one of several tags or agents is enough, and a span has its first moment and not its last; in every order", async () => {
  const { ada, ben, ids, refund, vip, conversations } = await acmeAtWork();
  const at = (place: number) => conversations.find(({ id }) => id === ids[place])?.active_at ?? "";
  const filters: [Omit<InboxQuery, "view">, places: number[]][] = [
    [{ tag_ids: [refund] }, [0, 2]],
    [{ tag_ids: [refund, vip] }, [0, 1, 2]],
    [{ tag_ids: [randomUUID(), vip] }, [1, 2]],
    [{ tag_ids: [randomUUID()] }, []],
    [{ agent_ids: [ada.agentId, ben.agentId] }, [0, 1]],
    [{ agent_ids: [ben.agentId], tag_ids: [refund, vip] }, [1]],
    [{ active_from: at(4) }, [4, 5]],
    [{ active_until: at(1) }, [0]],
    [{ active_from: at(1), active_until: at(4) }, [1, 2, 3]],
    [{ active_from: at(1), active_until: at(4), tag_ids: [refund, vip] }, [1, 2]],
  ];
  for (const order of inboxOrders) {
    for (const [filter, places] of filters) {
      const query: InboxQuery = { view: "all", order, ...filter };
      const said = JSON.stringify(query);
      const wanted = places.map((place) => ids[place]).toSorted();
      expect((await ada.list(String(addressOf(query)))).toSorted(), said).toEqual(wanted);
      // A client decides the same for what it holds.
      const held = conversations.filter((each) => isInList(each, query, ada.agentId)).map(({ id }) => id);
      expect(held.toSorted(), said).toEqual(wanted);
    }
  }
});

test("a span is paged through without what lies outside of it", async () => {
  const { ada, ids, conversations } = await acmeAtWork();
  const at = (place: number) => conversations.find(({ id }) => id === ids[place])?.active_at ?? "";
  for (const order of inboxOrders) {
    const address = addressOf({ view: "all", order, active_from: at(1), active_until: at(5) });
    const pages: string[][] = [];
    let before: string | null = "";
    while (before !== null) {
      const page = await ada.get(
        `/conversations?${address}&limit=3${before && `&before=${encodeURIComponent(before)}`}`,
      );
      pages.push(page.conversations.map(({ id }: LiveConversation) => id));
      before = page.next;
    }
    expect(pages[0], order).toHaveLength(3);
    expect(pages.flat().toSorted(), order).toEqual(ids.slice(1, 5).toSorted());
  }
});

// Thousands of requests, and the rule knows no engine.
test.runIf(deep || engine === "sqlite")(
  "a view of more conversations than are compared by their ids has each of them, in every order",
  async () => {
    const acme = await team();
    const many = FEW + 2;
    for (let count = 0; count < many; count += 1) {
      clock.advance(1_000);
      await app.perform(acme.actor, initializeContact, {
        ...{ widgetId: acme.widgetId, details: {}, pageVisits: [] },
        message: { content: "Hello", attachments: [] },
      });
    }
    const lists = inboxOrders.map((order) => adasInbox(app, acme).list(`view=waiting&limit=100&order=${order}`));
    const [newest = [], oldest, waiting] = await Promise.all(lists);
    expect(new Set(newest).size).toBe(many);
    expect(oldest).toEqual(newest.toReversed());
    expect(waiting).toEqual(oldest);
  },
);

test("a view that was saved with one tag and one agent is read as before, and counts what it shows", async () => {
  const { acme, ada, refund, vip, ids } = await acmeAtWork();
  const { saved_view } = await ada.post("/saved-views", { name: "Money", query: { view: "all", tag_ids: [vip] } });
  const stored = JSON.stringify({ view: "all", tag_id: refund, agent_id: ada.agentId });
  await storage.write(acme.teamId, (db) =>
    db.run(sqlText(`UPDATE saved_views SET query = '${stored}' WHERE id = '${saved_view.id}'`), {}),
  );
  const [view] = (await ada.get("/saved-views")).saved_views;
  expect(view).toEqual({
    ...saved_view,
    query: { view: "all", tag_ids: [refund], agent_ids: [ada.agentId] },
    count: 1,
  });
  expect(await ada.list(String(addressOf(view.query)))).toEqual([ids[0]]);
});
