import type { HeldMail } from "@frontdesk/core/contract/inbox-spam";
import { isoTime } from "../../timestamp.ts";
import { EXCERPT_MAX, oneLine, SENDER_NAME_MAX, SUBJECT_MAX } from "../one-line.ts";
import { foldAddress } from "../rules/mail-address.ts";
import type { QuietMailRow } from "./held-mail-store.ts";

export function presentHeldMail(row: QuietMailRow): HeldMail {
  const { id, conversation_id, account_id, taken_at, subject, sender, beginning } = row;
  const writer: { name: string | null; address: string } | null = sender === null ? null : JSON.parse(sender);
  return {
    ...{ id, conversation_id, channel_id: account_id },
    sender: {
      name: writer?.name ? oneLine(writer.name, SENDER_NAME_MAX) : null,
      address: writer && foldAddress(writer.address),
    },
    subject: oneLine(subject, SUBJECT_MAX),
    excerpt: oneLine(beginning, EXCERPT_MAX),
    received_at: isoTime(taken_at),
  };
}
