import type { SpamItem } from "@frontdesk/core/contract/inbox-spam";
import { isoTime } from "../../timestamp.ts";
import { readSpamPreview } from "./spam-preview.ts";
import type { SpamRow } from "./spam-store.ts";

export function presentSpam({ id, account_id, sender, taken_at, preview }: SpamRow): SpamItem {
  const { name, subject, excerpt } = readSpamPreview(preview);
  return {
    id,
    channel_id: account_id,
    sender: { name, address: sender },
    subject,
    excerpt,
    received_at: isoTime(taken_at),
  };
}
