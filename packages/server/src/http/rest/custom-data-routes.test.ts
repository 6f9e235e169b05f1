/** Custom data over REST: GET /custom-fields, GET, PUT and DELETE /contacts/{id}/custom-data (decisions 46, A35, A57). */

import { specifyList } from "@frontdesk/testing/list-promises";
import { invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventNamesOf, eventsOf, veraArrives } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const { team, clock } = await startTestApp();

/** A team with this number of values of Vera's, each in its own field. */
async function knowingMuch(rows: number): Promise<{ team: TestTeam; contactId: string; ids: string[] }> {
  const acme = await team();
  const contactId = await veraArrives(acme);
  const ids: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    const { body } = await acme.put(`/contacts/${contactId}/custom-data/field ${row}`, { value: `${row}` });
    ids.push(body.data.id);
  }
  return { team: acme, contactId, ids };
}

describe("GET /custom-fields", () => {
  specifyList({
    usual: 20,
    most: 100,
    fill: async (rows) => ({ ...(await knowingMuch(rows)), path: "/custom-fields" }),
  });
});

describe("GET /contacts/{id}/custom-data", () => {
  specifyList({
    usual: 20,
    most: 100,
    async fill(rows) {
      const filled = await knowingMuch(rows);
      return { ...filled, path: `/contacts/${filled.contactId}/custom-data` };
    },
  });

  test("has the names, the values and since when they are so", async () => {
    const acme = await team();
    const path = `/contacts/${await veraArrives(acme)}/custom-data`;
    const { body: set } = await acme.put(`${path}/plan`, { value: " Business\n" });
    clock.advance(1_000);
    expect((await acme.get(path)).body.data).toEqual([set.data]);
    expect((await acme.get("/custom-fields")).body.data).toEqual([
      { type: "custom-field", id: set.data.id, attributes: { name: "plan" } },
    ]);
  });
});

describe("PUT /contacts/{id}/custom-data/{name}", () => {
  test("makes the field and sets the value, then changes it: the agent who made the key has done it", async () => {
    const acme = await team();
    const contactId = await veraArrives(acme);
    const path = `/contacts/${contactId}/custom-data/plan`;
    const events = await eventsOf(acme, async () => {
      for (const value of ["Free", "Business"]) {
        clock.advance(1_000);
        const { status, body } = await acme.put(path, { value });
        expect(status).toBe(200);
        const updated_at = new Date(clock.now()).toISOString();
        expect(body).toEqual({
          message: "Custom data set.",
          data: { type: "custom-data", id: expect.any(String), attributes: { name: "plan", value, updated_at } },
        });
        // An equal value is left as it is.
        clock.advance(1_000);
        expect((await acme.put(path, { value })).body).toEqual(body);
      }
    });
    expect(events).toMatchObject([
      { name: "custom-field.created" },
      { name: "custom.data.assigned", contact_id: contactId, data: { assigned_by: { agent: acme.ada } } },
      { name: "custom.data.assigned", actor: { kind: "api-key" }, data: { custom_data: { plan: "Business" } } },
    ]);
  });

  test.each([[{}], [{ value: null }], [{ value: 5 }], [{ value: "x".repeat(1_001) }]])(
    "refuses %.40j on value",
    async (body) => {
      const acme = await team();
      const answer = await acme.put(`/contacts/${await veraArrives(acme)}/custom-data/plan`, body);
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual(invalid("value"));
      expect((await acme.get("/custom-fields")).body.data).toEqual([]);
    },
  );

  test("takes a value of 0 to 1,000 characters", async () => {
    const acme = await team();
    const path = `/contacts/${await veraArrives(acme)}/custom-data/plan`;
    for (const value of ["", "🙂".repeat(1_000)]) {
      expect((await acme.put(path, { value })).body.data.attributes.value).toBe(value);
    }
  });

  test("a name that no field can have is 422 on it, to set and to remove", async () => {
    const acme = await team();
    const path = `/contacts/${await veraArrives(acme)}/custom-data`;
    for (const name of ["%20", "%00", "a%0Ab", "x".repeat(101)]) {
      const answers = [await acme.put(`${path}/${name}`, { value: "" }), await acme.delete(`${path}/${name}`)];
      for (const { status, body } of answers) expect([status, body]).toEqual([422, invalid("name")]);
    }
  });
});

describe("DELETE /contacts/{id}/custom-data/{name}", () => {
  test.each(["plan", "50% / year", "返品", "🙂".repeat(100)])(
    "removes %.20s, and the team keeps the field; a repeat answers 404",
    async (name) => {
      const acme = await team();
      const contactId = await veraArrives(acme);
      const path = `/contacts/${contactId}/custom-data/${encodeURIComponent(name)}`;
      await acme.put(path, { value: "Free" });
      const events = await eventsOf(acme, async () => {
        expect(await acme.delete(path)).toMatchObject({ status: 200, body: refused("Custom data removed.") });
        expect(await acme.delete(path)).toMatchObject({ status: 404, body: refused("Custom data not found.") });
      });
      const data = { custom_data: { [name]: "Free" }, removed_by: { agent: acme.ada } };
      expect(events).toMatchObject([{ name: "custom.data.removed", data }]);
      expect((await acme.get(`/contacts/${contactId}/custom-data`)).body.data).toEqual([]);
      expect((await acme.get("/custom-fields")).body.data).toMatchObject([{ attributes: { name } }]);
    },
  );
});

test("another team's contact, and no id at all, is as one that does not exist", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = await veraArrives(acme);
  await acme.put(`/contacts/${vera}/custom-data/plan`, { value: "Free" });
  const names = await eventNamesOf(acme, async () => {
    for (const id of [vera, ...NO_IDS.map(encodeURIComponent)]) {
      const path = `/contacts/${id}/custom-data`;
      const answers = [sams.get(path), sams.put(`${path}/plan`, { value: "Pro" }), sams.delete(`${path}/plan`)];
      for (const answer of await Promise.all(answers)) {
        expect(answer).toMatchObject({ status: 404, body: refused("Contact not found.") });
      }
    }
  });
  expect(names).toEqual([]);
  expect((await sams.get("/custom-fields")).body.data).toEqual([]);
});

test("reading needs contacts:read, setting and removing contacts:write", async () => {
  for (const [scope, statuses] of [
    ["contacts:read", [200, 404, 403, 403]],
    ["contacts:write", [403, 403, 404, 404]],
    ["conversations:write", [403, 403, 403, 403]],
  ] as const) {
    const acme = await team({ scopes: [scope] });
    const path = `/contacts/${NO_IDS[0]}/custom-data`;
    const asked = [acme.get("/custom-fields"), acme.get(path), acme.put(`${path}/plan`, { value: "" })];
    const answers = await Promise.all([...asked, acme.delete(`${path}/plan`)]);
    expect(answers.map(({ status }) => status)).toEqual(statuses);
  }
});
