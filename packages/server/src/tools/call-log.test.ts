/** The call log: which connection called what, with which arguments and how it ended, kept for the team (docs/decisions/0019). */

import { tools } from "@frontdesk/core/contract/tools";
import { appOn, openBeside, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { callerWith, connect, dumpOfProduct, type ToolCaller } from "@frontdesk/testing/tool-caller";
import { fittingArguments, openShop } from "@frontdesk/testing/tool-scene";
import { expect, test } from "vitest";
import { createCallLog } from "./call-log.ts";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const { app, storage, runtime, clock } = kit;

interface Line {
  tool: string;
  arguments: string;
  outcome: string;
  message: string | null;
}

/** What the log holds of a connection at this moment, oldest first. */
async function linesOf(acme: TestTeam, { assistantId }: ToolCaller, from = storage): Promise<Line[]> {
  const rows = await query(
    from,
    `SELECT tool, arguments, outcome, message FROM tool_calls
     WHERE team_id = '${acme.teamId}' AND assistant_id = '${assistantId}' ORDER BY id`,
  );
  return rows as unknown as Line[];
}

const json = (value: unknown) => JSON.stringify(value);

test("a change is in the log when its answer is there, and so is a question for confirmation", async () => {
  const { acme, vera } = await openShop(kit);
  const robin = await connect(app, acme);
  const tag = { conversation_id: vera.conversationId, name: "VIP", color: "red" };
  await robin.result("add-tag", tag);
  expect(await linesOf(acme, robin)).toEqual([
    { tool: "add-tag", arguments: json(tag), outcome: "done", message: null },
  ]);
  const given = { conversation_id: vera.conversationId, name: "VIP" };
  const { confirmation_token } = await robin.result("remove-tag", given);
  expect((await linesOf(acme, robin)).slice(1)).toEqual([
    { tool: "remove-tag", arguments: json(given), outcome: "confirmation", message: null },
  ]);
  await robin.result("remove-tag", { ...given, confirmation_token });
  expect((await linesOf(acme, robin)).slice(2)).toEqual([
    { tool: "remove-tag", arguments: json({ ...given, confirmation_token: "given" }), outcome: "done", message: null },
  ]);
});

test("a change that cannot be logged is not made: both are one commit", async () => {
  const { acme, vera } = await openShop(kit);
  const robin = await connect(app, acme);
  const before = await dumpOfProduct(storage);
  await query(storage, "ALTER TABLE tool_calls RENAME TO tool_calls_away");
  const tag = { conversation_id: vera.conversationId, name: "VIP" };
  const failed = await robin.call("add-tag", tag);
  await query(storage, "ALTER TABLE tool_calls_away RENAME TO tool_calls");
  expect(failed.status).toBe(500);
  expect(await dumpOfProduct(storage)).toBe(before);
  expect((await robin.call("add-tag", tag)).status).toBe(200);
});

test("what is refused is logged with the sentence of the answer, and only so; what is read is logged as done", async () => {
  const { acme, vera } = await openShop(kit);
  const robin = await connect(app, acme, { permissions: ["add_tags", "send_replies", "view_tags"], agentId: null });
  const events = await acme.events();
  const reply = { conversation_id: vera.conversationId, content: "We do." };
  await robin.call("send-message", reply);
  await robin.call("add-tag", { conversation_id: runtime.newId(), name: "VIP" });
  await robin.call("add-tag", { name: "x".repeat(101), nonsense: { deep: [1] } });
  await robin.call("list-agents", { query: "ada" });
  await robin.result("view-tags");
  await expect.poll(async () => (await linesOf(acme, robin)).length).toBe(5);

  const lines = await linesOf(acme, robin);
  expect(lines.map(({ tool, outcome, message }) => [tool, outcome, message])).toEqual([
    [
      "send-message",
      "refused",
      "No agent is configured for this connection, so it cannot reply. An admin can choose one.",
    ],
    ["add-tag", "refused", "Conversation not found."],
    [
      "add-tag",
      "refused",
      "conversation_id: This field is required.\nnonsense: Unknown field.\nname: Must have at most 100 characters.",
    ],
    [
      "list-agents",
      "refused",
      "This connection does not have the assign_conversations permission (Assign conversations). An admin can grant it.",
    ],
    ["view-tags", "done", null],
  ]);
  expect(lines[0]?.arguments).toBe(json(reply));
  // As they were sent, without the defaults that the validation fills in.
  expect(lines[3]?.arguments).toBe(json({ query: "ada" }));
  expect(await acme.events()).toEqual(events);
});

test("every tool's call is logged, once", async () => {
  const { acme, vera } = await openShop(kit);
  const robin = await connect(app, acme);
  const given = fittingArguments(vera, acme);
  const called: [string, string][] = [];
  for (const [name, { annotations, ...tool }] of Object.entries(tools)) {
    await robin.result(name, given[name as keyof typeof tools]);
    called.push([name, "confirmed" in tool ? "confirmation" : "done"]);
    if (annotations.readOnlyHint) continue;
    expect((await linesOf(acme, robin)).map(({ tool }) => tool)).toContain(name);
  }
  await expect.poll(async () => (await linesOf(acme, robin)).length).toBe(called.length);
  const lines = (await linesOf(acme, robin)).map(({ tool, outcome }): [string, string] => [tool, outcome]);
  expect(lines.toSorted()).toEqual(called.toSorted());
});

test("a call of no tool, a call over the limit and one without a connection are in no log", async () => {
  const acme = await kit.team();
  const robin = await connect(app, acme);
  await robin.call("no-such-tool", {});
  const limited = callerWith(await appOn({ storage, runtime, env: { TOOL_RATE_LIMIT: "1" } }), acme, robin);
  await limited.list();
  expect((await limited.call("view-tags")).status).toBe(429);
  await robin.result("view-custom-fields");
  await expect.poll(async () => (await linesOf(acme, robin)).map(({ tool }) => tool)).toEqual(["view-custom-fields"]);
});

test("reads of the last moment are written before the app has closed", async () => {
  const { acme } = await openShop(kit);
  const beside = await openBeside(storage);
  const other = await appOn({ storage: beside, runtime });
  const robin = callerWith(other, acme, await connect(app, acme));
  await Promise.all([robin.result("view-tags"), robin.result("list-agents"), robin.result("view-custom-fields")]);
  await other.close();
  const lines = await linesOf(acme, robin);
  expect(lines.map(({ tool }) => tool).toSorted()).toEqual(["list-agents", "view-custom-fields", "view-tags"]);
});

test("a read costs no commit of its own: those of a moment are written together, each to its team", async () => {
  const written: [string, string[]][] = [];
  const log = createCallLog({
    perform: async (actor, operation, input) => {
      written.push([actor.teamId, (input as unknown as { tool: string }[]).map(({ tool }) => tool)]);
      return app.perform(actor, operation, input);
    },
    logger: app.http.log as never,
  });
  const teams = [await kit.team(), await kit.team()] as const;
  const callers = [await connect(app, teams[0]), await connect(app, teams[1])] as const;
  const call = { arguments: "{}", outcome: "done", message: null, durationMs: 1, calledAt: clock.now() } as const;
  for (let count = 0; count < 1_050; count += 1) {
    log.add(teams[0].teamId, { ...call, assistantId: callers[0].assistantId, tool: `tool ${count}` });
  }
  log.add(teams[1].teamId, { ...call, assistantId: callers[1].assistantId, tool: "another" });
  expect(written.map(([teamId, calls]) => [teamId, calls.length])).toEqual([[teams[0].teamId, 1_000]]);
  await expect.poll(() => written.length).toBe(3);
  await log.stop();
  expect(written.slice(1)).toEqual([
    [teams[0].teamId, Array.from({ length: 50 }, (_, count) => `tool ${count + 1_000}`)],
    [teams[1].teamId, ["another"]],
  ]);
  expect(await linesOf(teams[0], callers[0])).toHaveLength(1_050);
  expect(await linesOf(teams[1], callers[1])).toHaveLength(1);
});

test("it holds no token: neither of a confirmation nor of a connection, wherever a model has put one", async () => {
  const { acme, vera } = await openShop(kit);
  const robin = await connect(app, acme);
  const given = { conversation_id: vera.conversationId, name: "Shipping" };
  const { confirmation_token } = await robin.result("remove-tag", given);
  for (const wrong of [
    { ...given, confirmationToken: confirmation_token },
    { ...given, name: `Shipping ${confirmation_token}` },
    { ...given, confirmation_token: `${confirmation_token} ` },
    { ...given, name: `Bearer ${robin.token}` },
    [{ confirmation_token }],
  ]) {
    expect((await robin.call("remove-tag", wrong)).status).toBe(422);
  }
  await robin.result("remove-tag", { ...given, confirmation_token });
  await expect.poll(async () => (await linesOf(acme, robin)).length).toBe(7);
  const rows = JSON.stringify(await query(storage, "SELECT * FROM tool_calls"));
  expect(rows).toContain(vera.conversationId);
  for (const token of [confirmation_token, robin.token]) {
    expect(rows).not.toContain(token);
    // Nor the part that is the secret.
    expect(rows).not.toContain(token.slice(-49, -6));
  }
});

test("it is kept for each connection of each team, with when it was called", async () => {
  const [one, two] = [await openShop(kit), await openShop(kit)];
  const callers = [await connect(app, one.acme), await connect(app, one.acme), await connect(app, two.acme)] as const;
  const called = clock.now();
  for (const [place, caller] of callers.entries()) {
    const { vera } = place === 2 ? two : one;
    await caller.result("add-tag", { conversation_id: vera.conversationId, name: `Tag ${place}` });
    clock.advance(1_000);
  }
  for (const [place, { assistantId }] of callers.entries()) {
    const rows = await query(storage, `SELECT * FROM tool_calls WHERE assistant_id = '${assistantId}'`);
    expect(rows).toEqual([
      expect.objectContaining({
        team_id: (place === 2 ? two : one).acme.teamId,
        arguments: expect.stringContaining(`Tag ${place}`),
        duration_ms: expect.any(Number),
        called_at: called + place * 1_000,
      }),
    ]);
  }
});

test("arguments that are too long to be valid are not kept whole", async () => {
  const acme = await kit.team();
  const robin = await connect(app, acme);
  expect((await robin.call("view-tags", { nonsense: "x".repeat(100_000) })).status).toBe(422);
  await expect.poll(async () => (await linesOf(acme, robin))[0]?.arguments).toBe('{"too_long":100015}');
});
