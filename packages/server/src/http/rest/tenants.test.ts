/** Invariant 4, from outside: another team's data is treated as missing (decisions 24, 25, 68). `other-teams-ids.test.ts` has the ids. */
import { type RestOperation, rest } from "@frontdesk/core/contract";
import { furnishedTeam } from "@frontdesk/testing/furnished-team";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const server = await startTestApp();
const operations: readonly RestOperation[] = Object.values(rest);

test("nothing of one team is in another's lists, counts or searches", async () => {
  const [acme, sams] = [await furnishedTeam(server, "acme"), await furnishedTeam(server, "sams")];
  const conversation = `/conversations/${sams.ids.conversation}/messages`;
  const fields = "include_fields=contact_name,latest_message,agents,contact_id";
  const lists = [
    "/widgets",
    "/channels",
    "/contacts?limit=100",
    `/conversations/all?limit=100&${fields}`,
    conversation,
    "/agents",
    "/webhooks",
    "/assistants",
    "/articles",
    "/articles?search=ship",
    "/articles?status=published",
    "/tags",
    "/ai/runs",
    "/custom-fields",
    `/contacts/${sams.ids.contact}/custom-data`,
  ];
  // Lists below an id are tried with another team's id above.
  const named = new Set(lists.map((path) => path.split("?")[0]));
  const all = operations.filter(
    ({ method, path, query }) => method === "GET" && query && "limit" in query.properties && !path.includes("{"),
  );
  expect(all.length).toBeGreaterThan(7);
  expect(all.map(({ path }) => path).filter((path) => !named.has(path))).toEqual([]);
  for (const path of lists) {
    const { status, body } = await sams.get(path);
    expect(status).toBe(200);
    // Widgets: one has the mailbox. Tags and custom data: one that both teams have, and one of his own. Messages: a question and its reply.
    const rows = /widgets|tags|custom|messages$/.test(path) ? 2 : 1;
    expect(body.meta.pagination.total, path).toBe(rows);
    expect(body.data).toHaveLength(rows);
    const text = JSON.stringify(body);
    for (const id of [acme.teamId, ...Object.values(acme.ids)]) expect(text).not.toContain(id);
    expect(text.replaceAll(sams.ada.email, "")).not.toMatch(/acme/i);
  }
  for (const search of ["acme", "ac", "acme visitor", "acme@visitor.test", "+49151123", "15", acme.ids.contact]) {
    const { body } = await sams.get(`/contacts?search=${encodeURIComponent(search)}`);
    expect({ search, total: body.meta.pagination.total, data: body.data }).toEqual({ search, total: 0, data: [] });
    const own = await acme.get(`/contacts?search=${encodeURIComponent(search)}`);
    expect(own.body.data).toHaveLength(1);
  }
  expect((await sams.get(`${conversation}?search=acme`)).body.data).toEqual([]);
  expect((await sams.get("/articles?search=acme")).body.data).toEqual([]);
  expect((await acme.get("/articles?search=acme")).body.data).toHaveLength(1);
  expect((await sams.get(`/agents?email=${acme.ada.email}`)).body).toMatchObject({
    data: [],
    meta: { pagination: { total: 0 } },
  });
});

test("the same e-mail in two teams is two contacts", async () => {
  const [acme, sams] = [await furnishedTeam(server, "acme"), await furnishedTeam(server, "sams")];
  const write = (to: TestTeam) =>
    to.post("/conversations", { widget_id: to.widgetId, content: "Hi", email: "acme@visitor.test" });
  const [mine, theirs] = [await write(acme), await write(sams)];
  expect(mine.body.data.attributes.contact.id).toBe(acme.ids.contact);
  expect(theirs.body.data.attributes.contact.id).not.toBe(acme.ids.contact);
  expect(theirs.body.data.attributes.contact.name).toBeNull();
});
