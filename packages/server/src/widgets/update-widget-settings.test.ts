import { Refusal } from "@frontdesk/core/domain/refusal";
import { defaultWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { expect, test } from "vitest";
import { startTestApp } from "../../test/test-kit.ts";
import { showWidget } from "./show-widget.ts";
import { updateWidgetSettings } from "./update-widget-settings.ts";

const { app, team } = await startTestApp();

test("a setting that is given is set, and the others stay", async () => {
  const { actor, widgetId } = await team();
  expect((await app.perform(actor, showWidget, { widgetId })).settings).toEqual(defaultWidgetSettings);
  await app.perform(actor, updateWidgetSettings, { widgetId, change: { color: "#0f766e" } });
  const settings = await app.perform(actor, updateWidgetSettings, { widgetId, change: { position: "start" } });
  expect(settings).toEqual({ ...defaultWidgetSettings, color: "#0f766e", position: "start" });
  expect((await app.perform(actor, showWidget, { widgetId })).settings).toEqual(settings);
});

test("settings that cannot be taken are told at their fields, and nothing is changed", async () => {
  const { actor, widgetId } = await team();
  const change = { color: "blue", sites: ["*"], theme: "dark" } as const;
  const refused = await app
    .perform(actor, updateWidgetSettings, { widgetId, change: { ...change, sites: [...change.sites] } })
    .catch((error) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(Object.keys(refused.reason.errors)).toEqual(["color", "sites"]);
  expect((await app.perform(actor, showWidget, { widgetId })).settings).toEqual(defaultWidgetSettings);
});

test("a widget of another team is as unknown as one that is none", async () => {
  const [acme, sams] = [await team(), await team()];
  for (const widgetId of [sams.widgetId, "nonsense"]) {
    const update = app.perform(acme.actor, updateWidgetSettings, { widgetId, change: { theme: "dark" } });
    await expect(update).rejects.toMatchObject({ reason: { name: "not-found", what: "widget" } });
  }
});
