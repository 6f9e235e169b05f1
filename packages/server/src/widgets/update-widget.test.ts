import { Refusal } from "@frontdesk/core/domain/refusal";
import { defaultWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { eventNamesOf } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { showWidget } from "./show-widget.ts";
import { updateWidget } from "./update-widget.ts";

const { app, team } = await startTestApp();

test("a setting that is given is set, and the others stay", async () => {
  const { actor, widgetId } = await team();
  expect((await app.perform(actor, showWidget, { widgetId })).settings).toEqual(defaultWidgetSettings);
  await app.perform(actor, updateWidget, { widgetId, change: { settings: { color: "#0f766e" } } });
  await app.perform(actor, updateWidget, { widgetId, change: { settings: { position: "start" } } });
  const { settings } = await app.perform(actor, showWidget, { widgetId });
  expect(settings).toEqual({ ...defaultWidgetSettings, color: "#0f766e", position: "start" });
});

test("invalid settings are reported at their fields, and nothing is changed", async () => {
  const { actor, widgetId } = await team();
  const settings = { color: "blue", sites: ["*"], theme: "dark" } as const;
  const refused = await app
    .perform(actor, updateWidget, { widgetId, change: { settings: { ...settings, sites: [...settings.sites] } } })
    .catch((error) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(Object.keys(refused.reason.errors)).toEqual(["settings.color", "settings.sites"]);
  expect((await app.perform(actor, showWidget, { widgetId })).settings).toEqual(defaultWidgetSettings);
});

test("a change is recorded once: what is already so is none", async () => {
  const acme = await team();
  const change = { name: "Shop", settings: { color: "#0f766e" } };
  const update = () => app.perform(acme.actor, updateWidget, { widgetId: acme.widgetId, change });
  expect(await eventNamesOf(acme, update)).toEqual(["widget.updated"]);
  expect(await eventNamesOf(acme, update)).toEqual([]);
});

test("a widget of another team is as unknown as one that is none", async () => {
  const [acme, sams] = [await team(), await team()];
  for (const widgetId of [sams.widgetId, "nonsense"]) {
    const change = { settings: { theme: "dark" } } as const;
    const update = app.perform(acme.actor, updateWidget, { widgetId, change });
    await expect(update).rejects.toMatchObject({ reason: { name: "not-found", what: "widget" } });
  }
});
