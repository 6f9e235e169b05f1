/** Channel accounts (docs/decisions/0040-channel-accounts.md). */

import { openLoft, PIGEON_CHANNEL } from "@frontdesk/testing/pigeon";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { createWidget } from "../widgets/create-widget.ts";
import { channelSecretsPlace } from "./channel-account.ts";
import { accountInDirectory, channelAccountById } from "./channel-account-store.ts";
import { createChannelAccount } from "./create-channel-account.ts";

const kit = await startTestApp();
const { app, storage, team, runtime, clock } = kit;

test("a widget is the account of the website by its own id, from its own commit on", async () => {
  const acme = await team();
  const { id } = await app.perform(acme.actor, createWidget, { name: "Shop" });
  expect(await storage.first(channelAccountById, { team_id: acme.teamId, id })).toEqual({
    ...{ team_id: acme.teamId, id, channel: "website", home_widget_id: id, home_widget_name: "Shop" },
    ...{ state: "active", settings: "{}", created_at: clock.now() },
    ...{ name: null, state_reason: null, state_reason_named: null, provider_key: null, secrets_sealed: null },
    ...{ last_received_at: null, last_sent_at: null, deleted_at: null },
  });
});

test("an account is found by what its provider calls it, and its secrets are sealed", async () => {
  const acme = await team();
  const provider_key = runtime.newId();
  const { id } = await app.perform(acme.actor, createChannelAccount, {
    ...{ channel: PIGEON_CHANNEL, name: "Loft", homeWidgetId: acme.widgetId, providerKey: provider_key },
    ...{ settings: { roof: "red" }, secrets: { seed: "sunflower" } },
  });
  const found = await storage.first(accountInDirectory, { channel: PIGEON_CHANNEL, provider_key });
  expect(found).toEqual({ team_id: acme.teamId, account_id: id });
  const row = await storage.first(channelAccountById, { team_id: acme.teamId, id });
  expect(row).toMatchObject({ name: "Loft", settings: '{"roof":"red"}', provider_key });
  expect(row?.secrets_sealed).not.toContain("sunflower");
  const opened = runtime.vault.open(row?.secrets_sealed ?? "", channelSecretsPlace({ team_id: acme.teamId, id }));
  expect(JSON.parse(opened)).toEqual({ seed: "sunflower" });
});

test("a provider's account belongs to one team: a second time is refused, in any team, and at once", async () => {
  const [acme, sams] = [await team(), await team()];
  const providerKey = runtime.newId();
  const tries = await Promise.allSettled([acme, sams, acme, sams].map((one) => openLoft(kit, one, { providerKey })));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const one of tries) {
    if (one.status === "rejected") {
      expect(one.reason).toMatchObject({ reason: { name: "invalid", errors: { provider_key: [expect.any(String)] } } });
    }
  }
  const rows = await query(storage, `SELECT id FROM channel_accounts WHERE provider_key = '${providerKey}'`);
  expect(rows).toHaveLength(1);
});

test("the home widget is one of the team", async () => {
  const [acme, sams] = [await team(), await team()];
  await expect(openLoft(kit, acme, { homeWidgetId: sams.widgetId })).rejects.toMatchObject({
    reason: { name: "not-found", what: "widget" },
  });
});
