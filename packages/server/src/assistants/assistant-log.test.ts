/** GET /assistants/{assistant}/calls and …/queued-changes: the log of real calls (decision 60). */

import { robinAtWork, robinCalls, robinConfirms, robinJoins } from "@frontdesk/testing/assistant-at-work";
import { specifyList } from "@frontdesk/testing/list-promises";
import { appOn, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { createAuthentication } from "../access/authenticate.ts";
import type { Operation } from "../context.ts";
import { assignAgent } from "../conversations/assign-agent.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { createPerform } from "../perform.ts";
import { changeSeveral } from "./change-several.ts";
import { logToolCalls } from "./log-tool-calls.ts";

const server = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const { app, team, storage, runtime, clock } = server;

/** The attributes in a list of the log, newest first. */
const logOf = async (acme: TestTeam, { id }: { id: string }, list: "calls" | "queued-changes") =>
  (await acme.get(`/assistants/${id}/${list}?limit=100`)).body.data.map(
    ({ attributes }: { attributes: Record<string, unknown> }) => attributes,
  );

/** The ids of all rows of a table that are a connection's, newest first. */
const stored = async (table: string, assistantId: string) =>
  (await query(storage, `SELECT id FROM ${table} WHERE assistant_id = '${assistantId}' ORDER BY id DESC`)).map(
    ({ id }) => String(id),
  );

describe("the call log", () => {
  specifyList({
    usual: 20,
    most: 100,
    async fill(rows) {
      const acme = await team();
      const [robin, other] = [await robinJoins(acme), await robinJoins(acme)];
      const { conversationId: conversation_id } = await veraWrites(acme);
      for (let row = 0; row < rows; row += 1) {
        await robinCalls(server, robin, "add-tag", { conversation_id, name: `tag ${row}` });
      }
      await robinCalls(server, other, "add-tag", { conversation_id, name: "another's" });
      return { team: acme, path: `/assistants/${robin.id}/calls`, ids: await stored("tool_calls", robin.id) };
    },
  });

  test("lists the newest 100,000 of more calls than that", async () => {
    const acme = await team();
    const robin = await robinJoins(acme);
    const call = { assistantId: robin.id, arguments: "{}", outcome: "done", message: null, durationMs: 1 } as const;
    const calls = Array.from({ length: 100_005 }, (_, n) => ({ ...call, tool: `tool ${n}`, calledAt: clock.now() }));
    await app.perform({ kind: "system", teamId: acme.teamId }, logToolCalls, calls);
    const page = async (number: number, limit = 100) => {
      const { body } = await acme.get(`/assistants/${robin.id}/calls?page=${number}&limit=${limit}`);
      return {
        total: body.meta.pagination.total,
        tools: body.data.map((row: { attributes: { tool: string } }) => row.attributes.tool),
      };
    };
    expect(await page(1, 1)).toEqual({ total: 100_000, tools: ["tool 100004"] });
    expect((await page(1_000)).tools.at(-1)).toBe("tool 5");
    expect(await page(1_001)).toEqual({ total: 100_000, tools: [] });
    // A page that the bound cuts through.
    expect((await page(3_031, 33)).tools).toEqual(Array.from({ length: 10 }, (_, n) => `tool ${14 - n}`));
  });

  test("holds what was done, asked, refused and read, each with its arguments as they came", async () => {
    const acme = await team();
    const robin = await robinJoins(acme);
    const { conversationId } = await veraWrites(acme);
    const called_at = new Date(clock.now()).toISOString();
    const note = { conversation_id: conversationId, content: "Ships on Monday.\n\u{1F4E6}" };
    const one = { conversation_ids: [conversationId] };
    expect((await robinCalls(server, robin, "add-note", note)).status).toBe(200);
    expect((await robinConfirms(server, robin, "resolve-conversation", one)).status).toBe(200);
    const calls = (tool: string, given: unknown, rest: object) => ({
      tool,
      arguments: given,
      message: null,
      duration_ms: expect.any(Number),
      called_at,
      ...rest,
    });
    const changes = [
      calls("resolve-conversation", { ...one, confirmation_token: "given" }, { outcome: "done" }),
      calls("resolve-conversation", one, { outcome: "confirmation" }),
      calls("add-note", note, { outcome: "done" }),
    ];
    expect(await logOf(acme, robin, "calls")).toEqual(changes);

    // What changed nothing is written soon after, in the order of the calls.
    const unknown = { conversation_id: acme.teamId };
    expect((await robinCalls(server, robin, "list-conversations", { per_page: 5 })).status).toBe(200);
    expect((await robinCalls(server, robin, "get-conversation", unknown)).status).toBe(404);
    expect((await robinCalls(server, robin, "view-tags", ["no", "object"])).status).toBe(422);
    await expect
      .poll(() => logOf(acme, robin, "calls"))
      .toEqual([
        calls("view-tags", { given: ["no", "object"] }, { outcome: "refused", message: expect.any(String) }),
        calls("get-conversation", unknown, { outcome: "refused", message: "Conversation not found." }),
        calls("list-conversations", { per_page: 5 }, { outcome: "done" }),
        ...changes,
      ]);
  });

  test("stays when the connection is revoked, and is hidden from other teams", async () => {
    const [acme, sams] = [await team(), await team()];
    const robin = await robinAtWork(server, acme);
    await acme.post(`/assistants/${robin.id}/revoke`);
    expect(await logOf(acme, robin, "calls")).toHaveLength(3);
    for (const list of ["calls", "queued-changes"]) {
      expect((await sams.get(`/assistants/${robin.id}/${list}`)).status).toBe(404);
    }
  });
});

describe("the queued changes", () => {
  specifyList({
    usual: 20,
    most: 100,
    async fill(rows) {
      const acme = await team();
      const robin = await robinJoins(acme);
      await robinAtWork(server, acme);
      const conversation_ids: string[] = [];
      while (conversation_ids.length < rows) conversation_ids.push((await veraWrites(acme)).conversationId);
      await robinConfirms(server, robin, "resolve-conversation", { conversation_ids });
      const ids = await stored("queued_changes", robin.id);
      return { team: acme, path: `/assistants/${robin.id}/queued-changes`, ids };
    },
  });

  test("wait until a server does them, and show how each has ended", async () => {
    const acme = await team();
    const { robin, conversations, queue } = await atRest(acme);
    const queued_at = new Date(clock.now()).toISOString();
    const waits = (conversation_id: string, asked: object) => ({
      conversation_id,
      state: "waiting",
      message: null,
      queued_at,
      ended_at: null,
      ...asked,
    });
    const [first = "", second = ""] = conversations;
    await queue(assignAgent, { agentId: acme.ada.id });
    await queue(setConversationStatus, { status: "resolved" });
    const assign = { operation: "assign-conversation", agent_id: acme.ada.id };
    const resolve = { operation: "resolve-conversation", agent_id: null };
    const waiting = [waits(second, resolve), waits(first, resolve), waits(second, assign), waits(first, assign)];
    expect(await logOf(acme, robin, "queued-changes")).toEqual(waiting);

    clock.advance(1_000);
    const done = { state: "done", ended_at: new Date(clock.now()).toISOString() };
    await (await appOn({ storage, runtime })).start();
    await expect
      .poll(() => logOf(acme, robin, "queued-changes"))
      .toEqual(waiting.map((change) => ({ ...change, ...done })));
  });

  test("that may not be done any more end refused, with the reason", async () => {
    const acme = await team();
    const { robin, queue } = await atRest(acme);
    await acme.post(`/assistants/${robin.id}/pause`);
    await queue(setConversationStatus, { status: "unresolved" });
    await (await appOn({ storage, runtime })).start();
    const end = {
      operation: "unresolve-conversation",
      state: "refused",
      message: "The assistant is no longer active.",
    };
    await expect.poll(() => logOf(acme, robin, "queued-changes")).toMatchObject([end, end]);
  });

  test("of a real call are done once, and can be read by then", async () => {
    const acme = await team();
    const robin = await robinAtWork(server, acme);
    const end = { operation: "resolve-conversation", state: "done", message: null };
    await expect.poll(() => logOf(acme, robin, "queued-changes")).toMatchObject([end, end]);
    const resolved = (await acme.events()).filter(({ name }) => name === "conversation.resolved");
    expect(resolved).toHaveLength(2);
  });

  /** Robin with two conversations, and a function that queues changes of them without waking a server for the jobs. */
  async function atRest(acme: TestTeam) {
    const robin = await robinJoins(acme);
    const written = [await veraWrites(acme), await veraWrites(acme, { name: "Victor" })];
    const conversations = written.map(({ conversationId }) => conversationId);
    const { actor } = await createAuthentication(storage, clock.now, () => {}).assistant(robin.token);
    const perform = createPerform(storage, runtime);
    const queue = (operation: Operation<never, unknown>, rest: object) => {
      const several = changeSeveral(operation as Operation<{ conversationId: string }, unknown>);
      return perform(actor, several, { conversationIds: conversations, rest });
    };
    return { robin, conversations, queue };
  }
});
