import type { Channel } from "@frontdesk/core/contract/rest/channels";
import { isoTime } from "../timestamp.ts";
import { accountAddress, settingsOfChannel } from "./account-settings.ts";
import type { ShownAccount } from "./shown-account.ts";

/** An account as the REST API shows it: without secrets, but for the one in its callback address. */
export function presentChannel({ row, parts }: ShownAccount, publicUrl: string): Channel {
  const rules = settingsOfChannel(row.channel);
  const path = rules?.callbackPath(parts) ?? null;
  return {
    type: "channels",
    id: row.id,
    attributes: {
      channel: row.channel as Channel["attributes"]["channel"],
      name: row.name,
      widget_id: row.home_widget_id,
      state: row.state as Channel["attributes"]["state"],
      state_reason: row.state_reason,
      address: accountAddress(row),
      callback_url: path === null ? null : `${publicUrl}${path}`,
      settings: rules ? rules.show(parts) : {},
      last_received_at: row.last_received_at === null ? null : isoTime(row.last_received_at),
      last_sent_at: row.last_sent_at === null ? null : isoTime(row.last_sent_at),
      created_at: isoTime(row.created_at),
    },
  };
}
