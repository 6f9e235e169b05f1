/** Tags over REST: GET /tags, POST /conversations/{conversation_id}/tags and DELETE …/tags/{name} (decisions 56, A34, A55). */

import { specifyList } from "@frontdesk/testing/list-promises";
import { invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { eventNamesOf, eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const { team } = await startTestApp();

describe("GET /tags", () => {
  specifyList({
    usual: 20,
    most: 100,
    async fill(rows) {
      const acme = await team();
      const { conversationId } = await veraWrites(acme);
      const ids: string[] = [];
      for (let row = 0; row < rows; row += 1) {
        const { body } = await acme.post(`/conversations/${conversationId}/tags`, { name: `tag ${row}` });
        ids.push(body.data.id);
      }
      return { team: acme, path: "/tags", ids };
    },
  });
});

describe("POST /conversations/{conversation_id}/tags", () => {
  test("makes a tag that the team does not have, and puts it on: the agent who made the key has done it", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const events = await eventsOf(acme, async () => {
      const given = { name: " Gift card ", color: "teal" };
      const { status, body } = await acme.post(`/conversations/${conversationId}/tags`, given);
      expect(status).toBe(200);
      const tag = { type: "tag", id: expect.any(String), attributes: { name: "Gift card", color: "teal" } };
      expect(body).toEqual({ message: "Tag added.", data: tag });
      expect((await acme.get("/tags")).body.data).toEqual([body.data]);
    });
    expect(events).toMatchObject([
      { name: "tag.created" },
      {
        name: "tag.assigned",
        conversation_id: conversationId,
        actor: { kind: "api-key" },
        data: { tag: { name: "Gift card" }, assigned_by: { agent: acme.ada } },
      },
    ]);
  });

  test("one that is there already stays as it is, and nothing is recorded", async () => {
    const acme = await team();
    const path = `/conversations/${(await veraWrites(acme)).conversationId}/tags`;
    const first = await acme.post(path, { name: "shipping" });
    const names = await eventNamesOf(acme, async () => {
      expect((await acme.post(path, { name: "SHIPPING", color: "red" })).body).toEqual(first.body);
    });
    expect(names).toEqual([]);
  });

  test.each([
    [{}, ["name"]],
    [{ name: "" }, ["name"]],
    [{ name: " \t " }, ["name"]],
    [{ name: "two\nlines" }, ["name"]],
    [{ name: "x".repeat(101) }, ["name"]],
    [{ name: "shipping", color: "x".repeat(51) }, ["color"]],
    [{ name: 7, color: {} }, ["name", "color"]],
  ])("refuses %j", async (body, fields) => {
    const acme = await team();
    const answer = await acme.post(`/conversations/${(await veraWrites(acme)).conversationId}/tags`, body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual(invalid(...fields));
    expect((await acme.get("/tags")).body.data).toEqual([]);
  });

  test("takes a name of 100 characters and a color of 50, null or empty", async () => {
    const acme = await team();
    const path = `/conversations/${(await veraWrites(acme)).conversationId}/tags`;
    const colors: unknown[] = [];
    for (const [index, color] of ["🙂".repeat(50), null, ""].entries()) {
      const { status, body } = await acme.post(path, { name: `${index}${"é".repeat(99)}`, color });
      expect(status).toBe(200);
      colors.push(body.data.attributes.color);
    }
    expect(colors).toEqual(["🙂".repeat(50), null, null]);
  });
});

describe("DELETE /conversations/{conversation_id}/tags/{name}", () => {
  test.each(["shipping", "50% off / all", "返品", "🙂".repeat(100), "?#&+"])(
    "takes the tag %.20s off, and the team keeps it; a repeat answers 404",
    async (name) => {
      const acme = await team();
      const { conversationId } = await veraWrites(acme);
      const path = `/conversations/${conversationId}/tags`;
      await acme.post(path, { name });
      const events = await eventsOf(acme, async () => {
        const gone = await acme.delete(`${path}/${encodeURIComponent(name)}`);
        expect(gone).toMatchObject({ status: 200, body: refused("Tag removed.") });
        const again = await acme.delete(`${path}/${encodeURIComponent(name)}`);
        expect(again).toMatchObject({ status: 404, body: refused("Tag not found.") });
      });
      expect(events).toMatchObject([{ name: "tag.removed", data: { removed_by: { agent: acme.ada } } }]);
      expect((await acme.get("/tags")).body.data).toMatchObject([{ attributes: { name } }]);
    },
  );

  test("a name that no tag can have is 422 on it", async () => {
    const acme = await team();
    const path = `/conversations/${(await veraWrites(acme)).conversationId}/tags`;
    for (const name of ["%20", "%00", "a%0Ab", "x".repeat(101)]) {
      const { status, body } = await acme.delete(`${path}/${name}`);
      expect(status).toBe(422);
      expect(body).toEqual(invalid("name"));
    }
  });
});

test("another team's conversation, and no id at all, is as one that does not exist", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId } = await veraWrites(acme);
  await acme.post(`/conversations/${conversationId}/tags`, { name: "shipping" });
  const names = await eventNamesOf(acme, async () => {
    for (const id of [conversationId, ...NO_IDS.map(encodeURIComponent)]) {
      const path = `/conversations/${id}/tags`;
      for (const answer of [await sams.post(path, { name: "shipping" }), await sams.delete(`${path}/shipping`)]) {
        expect(answer).toMatchObject({ status: 404, body: refused("Conversation not found.") });
      }
    }
  });
  expect(names).toEqual([]);
  expect((await sams.get("/tags")).body.data).toEqual([]);
});

test("the team's tags need conversations:read, putting them on and taking them off conversations:write", async () => {
  for (const [scope, statuses] of [
    ["conversations:read", [200, 403, 403]],
    ["conversations:write", [403, 404, 404]],
    ["contacts:write", [403, 403, 403]],
  ] as const) {
    const acme = await team({ scopes: [scope] });
    const path = `/conversations/${NO_IDS[0]}/tags`;
    const asked = [acme.get("/tags"), acme.post(path, { name: "shipping" }), acme.delete(`${path}/shipping`)];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(statuses);
  }
});
