/** What `frontdesk doctor` reports of the accounts of channels. */
import { channelReason, channelSentence } from "@frontdesk/core/domain/channel-reason";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { createChannelAccount } from "../channels/create-channel-account.ts";
import { noteAccountState } from "../channels/note-account-state.ts";
import { checkChannels } from "./check-channels.ts";

const { app, storage, team } = await startTestApp();

test("an account in trouble is listed with its reason, and so are mails that could not be imported", async () => {
  const acme = await team();
  const { id: accountId } = await app.perform(acme.actor, createChannelAccount, {
    ...{ channel: "email", name: "Support", homeWidgetId: acme.widgetId, providerKey: "support@acme.example" },
    settings: { address: "support@acme.example" },
  });
  expect(await checkChannels(storage)).toEqual({ name: "channels", state: "ok", says: "Every channel works." });
  const reason = channelReason("check.refused", { host: "imap.acme.example" });
  await app.perform({ kind: "system", teamId: acme.teamId }, noteAccountState, {
    ...{ accountId, state: "needs-sign-in", reason },
  });
  const mail = (key: string) =>
    query(
      storage,
      `INSERT INTO mail_imports (team_id, account_id, key, state, raw_file, message_id, sender, taken_at, run_at, attempts, error)
        VALUES ('${acme.teamId}', '${accountId}', '${key}', 'failed', '${acme.teamId}', NULL, NULL, 1, 1, 5, 'It breaks.')`,
    );
  for (const key of ["one", "two"]) await mail(key);
  expect(await checkChannels(storage)).toMatchObject({
    state: "warning",
    says: `Support (needs-sign-in): ${channelSentence(reason)}; Support: 2 emails could not be imported.`,
    do: expect.stringMatching(/Settings > Channels/),
  });
});
