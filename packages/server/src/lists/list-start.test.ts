import { expect, test } from "vitest";
import { query } from "../../test/second-app.ts";
import { startTestApp } from "../../test/test-kit.ts";
import { receiveVisitorMessage } from "../conversations/receive-visitor-message.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";

const { app, team, storage, clock } = await startTestApp();
const HOUR_MS = 60 * 60 * 1_000;

test("every page of a long list is the piece of the whole list it stands for, the deep ones too", async () => {
  const acme = await team();
  // Two months of conversations, 24 at each of 55 moments; every third is resolved.
  for (let moment = 0; moment < 55; moment += 1) {
    clock.advance(26 * HOUR_MS);
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const written = await app.perform(acme.actor, receiveVisitorMessage, {
          widgetId: acme.widgetId,
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
});
