/** Widgets over REST (docs/decisions/0023-verified-visitors.md). */
import { defaultWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { dump } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { eventNamesOf } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const { storage, team, clock } = await startTestApp();

test("a widget is made with a name, and has every setting", async () => {
  const acme = await team();
  const { status, body } = await acme.post("/widgets", { name: "Shop" });
  expect(status).toBe(201);
  expect(body.data.attributes).toEqual({
    name: "Shop",
    icon: null,
    settings: defaultWidgetSettings,
    identity_secret_made_at: null,
    first_seen_at: null,
    last_seen_at: null,
    seen_on: null,
    created_at: new Date(clock.now()).toISOString(),
  });
  expect((await acme.get(`/widgets/${body.data.id}`)).body.data).toEqual(body.data);
  expect((await acme.get("/widgets")).body.meta.pagination.total).toBe(2);
  for (const wrong of [{}, { name: "" }, { name: null }, { name: "x".repeat(256) }]) {
    expect((await acme.post("/widgets", wrong)).body.errors).toHaveProperty("name");
  }
});

test("what is sent of it is set, the rest stays, and what is already so records no event", async () => {
  const acme = await team();
  const path = `/widgets/${acme.widgetId}`;
  await acme.patch(path, { settings: { color: "#0f766e", greetings: { en: { title: "Hi", text: "" } } } });
  const change = {
    name: "Shop",
    settings: {
      ask_rating: false,
      hours: { timezone: "Europe/Berlin", week: { mon: [{ from: "09:00", to: "17:00" }] }, closed: ["2026-12-25"] },
      sites: ["https://www.acme.test"],
      page_fields: ["plan", "cart value"],
    },
  };
  expect(await eventNamesOf(acme, () => acme.patch(path, change))).toEqual(["widget.updated"]);
  expect(await eventNamesOf(acme, () => acme.patch(path, change))).toEqual([]);
  const { body } = await acme.get(path);
  expect(body.data.attributes).toMatchObject({
    name: "Shop",
    settings: {
      ...defaultWidgetSettings,
      ...change.settings,
      color: "#0f766e",
      greetings: { en: { title: "Hi", text: "" } },
    },
  });
  await acme.patch(path, { settings: { hours: null, greetings: {} } });
  expect((await acme.get(path)).body.data.attributes.settings).toMatchObject({ hours: null, greetings: {} });
});

test.each<[string, object, string[]]>([
  ["nothing", {}, ["body"]],
  ["nothing that there is", { colour: "#000000" }, ["name", "settings"]],
  ["no setting that there is", { settings: { colour: "#000000" } }, ["name", "settings"]],
  ["no object", { settings: "dark" }, ["settings"]],
  ["a color in words", { settings: { color: "red" } }, ["settings.color"]],
  ["a theme that there is not", { settings: { theme: "blue" } }, ["settings.theme"]],
  ["what could say more in a policy", { settings: { sites: ["https://a.test; script-src *"] } }, ["settings.sites"]],
  [
    "a language the widget does not speak",
    { settings: { greetings: { tlh: { title: "", text: "" } } } },
    ["settings.greetings.tlh"],
  ],
  ["a greeting without its text", { settings: { greetings: { en: { title: "" } } } }, ["settings.greetings.en.text"]],
  [
    "a greeting with more",
    { settings: { greetings: { en: { title: "", text: "", x: "" } } } },
    ["settings.greetings.en.x"],
  ],
  ["hours of no place", { settings: { hours: { timezone: "Mars", week: {}, closed: [] } } }, ["settings.hours"]],
  [
    "a day that there is not",
    { settings: { hours: { timezone: "UTC", week: { noday: [] }, closed: [] } } },
    ["settings.hours.week.noday"],
  ],
  [
    "too many fields",
    { settings: { page_fields: Array.from({ length: 21 }, (_, n) => `f${n}`) } },
    ["settings.page_fields"],
  ],
  ["a field with spaces around it", { settings: { page_fields: [" plan"] } }, ["settings.page_fields"]],
  ["a field of 101 characters", { settings: { page_fields: ["x".repeat(101)] } }, ["settings.page_fields"]],
  ["a field that is a number", { settings: { page_fields: [1] } }, ["settings.page_fields.0"]],
])("a change of %s is refused with the field's name, and nothing is changed", async (_what, body, fields) => {
  const acme = await team();
  const before = await dump(storage);
  const answer = await acme.patch(`/widgets/${acme.widgetId}`, body);
  expect({ status: answer.status, fields: Object.keys(answer.body.errors) }).toEqual({ status: 422, fields });
  expect((await dump(storage)).replaceAll(/"last_used_at":\w+/g, "")).toBe(
    before.replaceAll(/"last_used_at":\w+/g, ""),
  );
});

test("a setting that there is not is ignored beside one that there is, and not kept", async () => {
  const acme = await team();
  const change = '{"settings":{"theme":"dark","evil":"x","__proto__":{"color":"#000000"}}}';
  const { body } = await acme.patch(`/widgets/${acme.widgetId}`, change);
  expect(body.data.attributes.settings).toEqual({ ...defaultWidgetSettings, theme: "dark" });
  expect(await dump(storage)).not.toContain("evil");
});

test("an identity secret is shown once, and sealed where it is kept", async () => {
  const acme = await team();
  const path = `/widgets/${acme.widgetId}`;
  const { status, body } = await acme.post(`${path}/identity-secret`);
  const secret = body.data.attributes.identity_secret;
  expect({ status, secret }).toEqual({ status: 200, secret: expect.stringMatching(/^fd_identity_\w{71}$/) });
  expect(await dump(storage)).not.toContain(secret);
  const shown = await acme.get(path);
  expect(shown.body.data.attributes.identity_secret_made_at).toBe(new Date(clock.now()).toISOString());
  expect(JSON.stringify(shown.body)).not.toContain(secret);
  expect((await acme.events()).at(-1)).toMatchObject({ name: "widget.updated" });

  const key = { "idempotency-key": "once" };
  const first = await acme.post(`${path}/identity-secret`, undefined, key);
  const again = await acme.post(`${path}/identity-secret`, undefined, key);
  expect(first.body.data.attributes.identity_secret).not.toBe(secret);
  expect(again.body).toEqual(first.body);
});

test("reading needs widgets:read, changing widgets:write; another team's widget is as one that is none", async () => {
  const [reader, writer, sams] = [
    await team({ scopes: ["widgets:read"] }),
    await team({ scopes: ["widgets:write", "conversations:read", "conversations:write", "contacts:write"] }),
    await team(),
  ];
  const statuses = async (acme: typeof reader, id: string) => [
    (await acme.get(`/widgets/${id}`)).status,
    (await acme.patch(`/widgets/${id}`, { name: "Shop" })).status,
    (await acme.post(`/widgets/${id}/identity-secret`)).status,
  ];
  expect(await statuses(reader, reader.widgetId)).toEqual([200, 403, 403]);
  expect(await statuses(writer, writer.widgetId)).toEqual([403, 200, 200]);
  for (const id of [reader.widgetId, "nonsense"]) expect(await statuses(sams, id)).toEqual([404, 404, 404]);
  expect((await reader.post("/widgets", { name: "Shop" })).status).toBe(403);
});
