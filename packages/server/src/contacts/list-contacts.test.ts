import { contactFields } from "@frontdesk/core/contract";
import { specifyList } from "@frontdesk/testing/list-promises";
import { idsOf, invalid } from "@frontdesk/testing/rest-answers";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const { team, clock } = await startTestApp();

specifyList({
  usual: 10,
  most: 100,
  filter: ["search", "vera & victor"],
  async fill(rows) {
    const acme = await team();
    const ids: string[] = [];
    while (ids.length < rows) ids.unshift(await veraArrives(acme, { name: "Vera & Victor" }));
    return { team: acme, path: "/contacts", ids };
  },
});

test("contacts are listed by their last activity, the newest first", async () => {
  const acme = await team();
  const vera = await veraWrites(acme);
  clock.advance(1);
  const victor = await veraArrives(acme, { name: "Victor" });
  expect(idsOf(await acme.get("/contacts"))).toEqual([victor, vera.contactId]);

  clock.advance(1);
  await veraWrites(acme, { contact_id: vera.contactId });
  expect(idsOf(await acme.get("/contacts"))).toEqual([vera.contactId, victor]);
});

test("contacts who were active at the same time are listed by id, the newest first", async () => {
  const acme = await team();
  const [first, second, third] = [await veraArrives(acme), await veraArrives(acme), await veraArrives(acme)];
  expect(idsOf(await acme.get("/contacts"))).toEqual([third, second, first]);
  expect(idsOf(await acme.get("/contacts?search=vera"))).toEqual([third, second, first]);
});

test("a team sees no contact of another team", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = await veraArrives(acme);
  for (const search of ["", "?search=vera", `?search=${vera}`]) {
    const { body } = await sams.get(`/contacts${search}`);
    expect(body.data).toEqual([]);
    expect(body.meta.pagination).toEqual({ total: 0, count: 0, per_page: 10, current_page: 1, total_pages: 1 });
    expect(body.links.next).toBeNull();
  }
});

describe("include_fields and exclude_fields", () => {
  test("without them a contact has all its attributes, as GET /contacts/{id} shows it", async () => {
    const acme = await team();
    const vera = await veraArrives(acme, {
      country: "Germany",
      page_visited: [{ page: "https://acme.test/pricing", date: "2026-11-20T08:59:00.000Z" }],
    });
    const { body } = await acme.get("/contacts");
    expect(Object.keys(body.data[0].attributes)).toEqual([...contactFields]);
    expect(body.data).toEqual([(await acme.get(`/contacts/${vera}`)).body.data]);
  });

  test.each([
    ["include_fields=name", ["name"]],
    ["include_fields=email,name,email", ["name", "email"]],
    ["include_fields=page_visited", ["page_visited"]],
    [`include_fields=${contactFields.join(",")}`, contactFields],
    ["exclude_fields=name,page_visited", contactFields.filter((name) => name !== "name" && name !== "page_visited")],
    [`exclude_fields=${contactFields.join(",")}`, []],
    ["include_fields=name,phone&exclude_fields=name", ["name", "phone"]],
    ["exclude_fields=name&include_fields=name", ["name"]],
  ])("%.60s chooses the attributes; only include_fields counts when both are sent", async (query, names) => {
    const acme = await team();
    const vera = await veraArrives(acme);
    const { status, body } = await acme.get(`/contacts?${query}`);
    expect(status).toBe(200);
    expect(body.data).toEqual([{ type: "chat-contacts", id: vera, attributes: expect.any(Object) }]);
    expect(Object.keys(body.data[0].attributes).sort()).toEqual([...names].sort());
  });

  test.each(["nickname", "name,nickname", "id", "", "name,", ",", "name, email", "Name", "team_counters.event_number"])(
    "an invalid name gives 422: %j",
    async (names) => {
      const acme = await team();
      for (const parameter of ["include_fields", "exclude_fields"]) {
        const { status, body } = await acme.get(`/contacts?${parameter}=${encodeURIComponent(names)}`);
        expect(status).toBe(422);
        expect(body).toEqual(invalid(parameter));
      }
    },
  );

  test("an invalid name in exclude_fields gives 422 also where include_fields is sent", async () => {
    const acme = await team();
    const { status, body } = await acme.get("/contacts?include_fields=name&exclude_fields=nickname");
    expect(status).toBe(422);
    expect(body).toEqual(invalid("exclude_fields"));
  });
});
