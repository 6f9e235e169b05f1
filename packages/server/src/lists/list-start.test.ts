import { assistantOf } from "@frontdesk/testing/assistant-actor";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { browseConversations } from "../conversations/browse-conversations.ts";
import { receiveVisitorMessage } from "../conversations/receive-visitor-message.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { createWidget } from "../widgets/create-widget.ts";

const { app, team, storage, clock } = await startTestApp();
const HOUR_MS = 60 * 60 * 1_000;

test("every page of a long list is the piece of the whole list it stands for, the deep ones too", async () => {
  const acme = await team();
  const shop = await app.perform(acme.actor, createWidget, { name: "Shop" });
  // Two months of conversations, 24 at each of 55 moments; every third is resolved, every fourth is from the shop.
  for (let moment = 0; moment < 55; moment += 1) {
    clock.advance(26 * HOUR_MS);
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const written = await app.perform(acme.actor, receiveVisitorMessage, {
          widgetId: index % 4 ? acme.widgetId : shop.id,
          content: "Hello",
          name: `Vera ${moment}.${index}`,
        });
        if (index % 3 > 0) return;
        const { conversation_id: conversationId } = written.message;
        await app.perform(acme.actor, setConversationStatus, {
          conversationId,
          status: "resolved",
          agentId: undefined,
        });
      }),
    );
  }
  const inTeam = `WHERE team_id = '${acme.teamId}'`;
  const wholes = {
    "/contacts": `SELECT id FROM contacts ${inTeam} ORDER BY last_active_at DESC, id DESC`,
    "/conversations/all": `SELECT id FROM conversations ${inTeam} ORDER BY is_resolved, last_message_at DESC, id DESC`,
  };
  for (const [path, sql] of Object.entries(wholes)) {
    const whole = (await query(storage, sql)).map(({ id }) => id);
    expect(whole).toHaveLength(1_320);
    const paged: unknown[] = [];
    for (let page = 1; page <= 14; page += 1) {
      const { body } = await acme.get(`${path}?limit=100&page=${page}`);
      expect(body.meta.pagination).toMatchObject({ total: 1_320, total_pages: 14 });
      paged.push(...body.data.map(({ id }: { id: string }) => id));
    }
    expect(paged).toEqual(whole);
    expect((await acme.get(`${path}?limit=100&page=15`)).body.data).toEqual([]);
  }

  // The conversations that assistants see are in one order, whatever their status, or of one status.
  for (const [status, condition] of [
    ["all", ""],
    ["unresolved", "AND is_resolved = 0"],
    ["resolved", "AND is_resolved = 1"],
  ] as const) {
    const order = `SELECT id, widget_id FROM conversations ${inTeam} ${condition} ORDER BY last_message_at DESC, id DESC`;
    const everything = await query(storage, order);
    expect(everything.length).toBeGreaterThan(400);
    for (const widgets of ["all", [acme.widgetId], [acme.widgetId, shop.id], [shop.id]] as const) {
      const isVisible = (id: unknown) => widgets === "all" || widgets.some((widget) => widget === id);
      const whole = everything.filter(({ widget_id }) => isVisible(widget_id)).map(({ id }) => id);
      expect(whole.length).toBeGreaterThan(100);
      const paged: unknown[] = [];
      for (let page = 1; page === 1 || paged.length === 100 * (page - 1); page += 1) {
        const asked = { status, page, limit: 100 };
        const { rows, hasMore } = await app.perform(assistantOf(acme, { widgets }), browseConversations, asked);
        paged.push(...rows.map(({ conversation }) => conversation.id));
        expect(hasMore).toBe(paged.length < whole.length);
      }
      expect(paged).toEqual(whole);
    }
  }
});
