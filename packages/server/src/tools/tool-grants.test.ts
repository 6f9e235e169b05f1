/** Who may call what: specification, "Conventions" and "Limits" of the tools; decisions 50, 51, 57, 61. */

import type { Tool } from "@frontdesk/core/contract/tool";
import { type ToolName, tools } from "@frontdesk/core/contract/tools";
import { assistantPermissionNames, assistantPermissions } from "@frontdesk/core/domain/assistant-permissions";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import { appOn } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { callerWith, connect, dumpOfProduct, type ToolCaller } from "@frontdesk/testing/tool-caller";
import { fittingArguments, openShop } from "@frontdesk/testing/tool-scene";
import { afterAll, expect, test, vi } from "vitest";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const { app, storage, runtime } = kit;
const each = (Object.entries(tools) as [ToolName, Tool][]).map(([name, tool]) => [name, tool] as const);

test.each(each)(
  "%s works for a connection with its permission alone, and answers what it documents",
  async (name, tool) => {
    const { acme, vera } = await openShop(kit);
    const robin = await connect(app, acme, { permissions: [tool.permission] });
    const given = fittingArguments(vera, acme)[name];
    const first = await robin.call(name, given);
    expect(first.status, first.text).toBe(200);
    expect(problemsOf(closed(tool.output), first.body)).toEqual([]);
    expect("confirmation_required" in first.body).toBe(tool.confirmed === true);
    if (tool.confirmed) {
      const { confirmation_token } = first.body;
      const done = await robin.call(name, { ...given, confirmation_token });
      expect(done.status, done.text).toBe(200);
      expect(problemsOf(closed(tool.output), done.body)).toEqual([]);
      expect(done.body).not.toHaveProperty("confirmation_required");
    }
    expect(await robin.list()).toEqual(
      each.flatMap(([other, { permission }]) => (permission === tool.permission ? other : [])),
    );
  },
);

test("no tool is listed or done without its permission, which the answer names", async () => {
  const { acme, vera } = await openShop(kit);
  const before = await dumpOfProduct(storage);
  const events = await acme.events();
  for (const [name, { permission }] of each) {
    const others = assistantPermissionNames.filter((other) => other !== permission);
    const robin = await connect(app, acme, { permissions: others });
    // Also with arguments that would not do: who may not ask hears that first.
    for (const given of [fittingArguments(vera, acme)[name], { nonsense: 1 }]) {
      const { status, body } = await robin.call(name, given);
      const { label } = assistantPermissions[permission];
      expect([name, status, body]).toEqual([
        name,
        403,
        { message: `This connection does not have the ${permission} permission (${label}). An admin can grant it.` },
      ]);
    }
    expect(await robin.list()).toEqual(each.flatMap(([other, tool]) => (tool.permission === permission ? [] : other)));
  }
  const made = (await acme.events()).slice(events.length).map((event) => event.name);
  expect(new Set(made)).toEqual(new Set(["assistant.created"]));
  expect(withoutEvents(await dumpOfProduct(storage))).toBe(withoutEvents(before));
});

/** The connections are created in between, which is an event each. */
const withoutEvents = (tables: string) => tables.replaceAll(/^(events|team_counters): .*$/gm, "");

const NOT_LIVE = { message: "This connection is not active: it is paused, or it no longer has access to anything." };

/** Each tool with arguments that fit. */
async function everyTool(robin: ToolCaller, fitting: Record<ToolName, object>) {
  const answers: [string, number, unknown][] = [];
  for (const [name] of each) {
    const { status, body } = await robin.call(name, fitting[name]);
    answers.push([name, status, body]);
  }
  return answers;
}

test("a paused connection has no tools and may call none, until it is resumed", async () => {
  const { acme, vera } = await openShop(kit);
  const robin = await connect(app, acme);
  const { confirmation_token } = await robin.result("remove-tag", fittingArguments(vera, acme)["remove-tag"]);
  await robin.set("paused");
  const before = await dumpOfProduct(storage);
  expect(await robin.list()).toEqual([]);
  const answers = await everyTool(robin, fittingArguments(vera, acme));
  expect(answers).toEqual(each.map(([name]) => [name, 403, NOT_LIVE]));
  const confirmed = { ...fittingArguments(vera, acme)["remove-tag"], confirmation_token };
  expect((await robin.call("remove-tag", confirmed)).status).toBe(403);
  expect(await dumpOfProduct(storage)).toBe(before);

  await robin.set("active");
  expect(await robin.list()).toEqual(each.map(([name]) => name));
  expect((await robin.call("remove-tag", confirmed)).status).toBe(200);
});

test("a connection without any widget or channel has no tools and may call none, until it has one", async () => {
  const { acme, vera } = await openShop(kit);
  const robin = await connect(app, acme, { widgets: [], channels: [] });
  expect(await robin.list()).toEqual([]);
  const answers = await everyTool(robin, fittingArguments(vera, acme));
  expect(answers).toEqual(each.map(([name]) => [name, 403, NOT_LIVE]));
  await robin.change({ widgets: [acme.widgetId] });
  expect(await robin.list()).toHaveLength(each.length);
  await robin.change({ widgets: [], channels: ["whatsapp"] });
  expect(await robin.list()).toHaveLength(each.length);
});

test("a revoked connection, a missing token and a wrong one are 401 alike, at every tool and at the list", async () => {
  const { acme, vera } = await openShop(kit);
  const robin = await connect(app, acme);
  await robin.set("revoked");
  const refused = { message: "The bearer token is missing or invalid." };
  const answers = await everyTool(robin, fittingArguments(vera, acme));
  expect(answers).toEqual(each.map(([name]) => [name, 401, refused]));
  for (const authorization of [
    undefined,
    "",
    "Bearer",
    `Bearer ${robin.token}x`,
    `Basic ${robin.token}`,
    robin.token,
  ]) {
    for (const [method, url] of [
      ["GET", "/tools"],
      ["POST", "/tools/view-tags"],
      ["POST", "/tools/no-such-tool"],
    ] as const) {
      const answer = await app.http.inject({
        method,
        url,
        headers: authorization === undefined ? {} : { authorization },
      });
      expect([answer.statusCode, answer.json()]).toEqual([401, refused]);
      expect(answer.headers["www-authenticate"]).toBe('Bearer realm="Frontdesk"');
    }
  }
});

test("a name that no tool has is 404, whatever was granted", async () => {
  const acme = await kit.team();
  for (const asked of [{}, { permissions: [] }, { widgets: [], channels: [] }]) {
    const robin = await connect(app, acme, asked);
    for (const name of ["no-such-tool", "__proto__", "constructor", "View-Tags", "view-tags%20"]) {
      const { status, body } = await robin.call(name, {});
      expect([status, body]).toEqual([404, { message: "Tool not found." }]);
    }
  }
});

test("a changed grant is in force with the next call, at another process too", async () => {
  const { acme } = await openShop(kit);
  const robin = await connect(app, acme, { permissions: ["view_tags"] });
  const beside = callerWith(await appOn({ storage, runtime }), acme, robin);
  for (const one of [robin, beside]) expect((await one.call("view-tags")).status).toBe(200);
  await robin.change({ permissions: ["view_custom_fields"] });
  for (const one of [robin, beside]) {
    await expect.poll(async () => (await one.call("view-tags")).status).toBe(403);
    expect(await one.list()).toEqual(["view-custom-fields"]);
  }
});

// The limiter's monotonic clock is stopped, so that the minute is as long as the test wants.
vi.useFakeTimers({ toFake: ["performance"] });
afterAll(() => void vi.useRealTimers());

const TOO_MANY = { message: "Too many requests. Please wait a moment and try again." };

test("of more than 120 requests in a minute, calls and lists, the others are 429 with Retry-After; each connection counts for itself", async () => {
  const limited = await appOn({ storage, runtime });
  const { acme } = await openShop(kit);
  const robin = callerWith(limited, acme, await connect(app, acme));
  const other = callerWith(limited, acme, await connect(app, acme));
  for (let count = 0; count < 60; count += 1) {
    expect((await robin.call("view-tags")).status).toBe(200);
    expect(await robin.list()).not.toEqual([]);
  }
  const refused = await robin.call("view-tags");
  expect([refused.status, refused.body, String(refused.headers["retry-after"])]).toEqual([429, TOO_MANY, "60"]);
  expect((await other.call("view-tags")).status).toBe(200);
  vi.advanceTimersByTime(59_999);
  expect(String((await robin.call("view-tags")).headers["retry-after"])).toBe("1");
  vi.advanceTimersByTime(1);
  expect((await robin.call("view-tags")).status).toBe(200);
});

test("every tool is limited, before anything else of the call is looked at", async () => {
  const limited = await appOn({ storage, runtime, env: { TOOL_RATE_LIMIT: "1" } });
  const { acme, vera } = await openShop(kit);
  const robin = callerWith(limited, acme, await connect(app, acme, { permissions: ["view_tags"] }));
  expect((await robin.call("view-tags")).status).toBe(200);
  const before = await dumpOfProduct(storage);
  const answers = await everyTool(robin, fittingArguments(vera, acme));
  expect(answers).toEqual(each.map(([name]) => [name, 429, TOO_MANY]));
  expect((await robin.call("no-such-tool", "not json")).status).toBe(429);
  expect(await dumpOfProduct(storage)).toBe(before);
});
