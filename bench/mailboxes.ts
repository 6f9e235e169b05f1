/** Mailboxes on a Dovecot of this machine, and what they have brought. */
import { setTimeout as wait } from "node:timers/promises";
import type { Dovecot } from "@frontdesk/testing/dovecot";
import { type Api, callApi } from "./call-api.ts";
import type { Env } from "./processes.ts";

/** The servers of mailboxes are on this machine. */
export const NEAR: Env = { CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" };
const LOOK_MS = 50;

export interface Mailbox {
  user: string;
  /** Pauses it, or reads it again. */
  set(state: "paused" | "active"): Promise<void>;
}

/** Connects the mailbox of `user`, who has one mail already, so that it exists. */
export async function connectMailbox(
  api: Api,
  dovecot: Dovecot,
  { user, widgetId }: { user: string; widgetId: string },
): Promise<Mailbox> {
  const { host, port, password } = dovecot;
  const inbound = { kind: "imap", host, port, security: "none", username: user, password };
  const settings = { address: `${user}@shop.example`, inbound };
  const asked = { channel: "email", widget_id: widgetId, settings };
  const { data } = await callApi<{ data: { id: string } }>(api, "POST", "/channels", asked);
  return {
    user,
    async set(state) {
      await callApi(api, "PATCH", `/channels/${data.id}`, { state });
    },
  };
}

/** Each mail of these benchmarks begins a conversation. */
export async function conversationsOf(api: Api): Promise<number> {
  interface Body {
    meta: { pagination: { total: number } };
  }
  return (await callApi<Body>(api, "GET", "/conversations/all?limit=1")).meta.pagination.total;
}

/** Until the team has so many conversations. */
export async function untilConversations(api: Api, count: number, lookMs = LOOK_MS): Promise<void> {
  while ((await conversationsOf(api)) < count) await wait(lookMs);
}

/** Delivers mails until one has come in: it is connected, and read from now on. */
export async function untilRead(api: Api, dovecot: Dovecot, { user }: Mailbox): Promise<void> {
  const before = await conversationsOf(api);
  for (let n = 0; (await conversationsOf(api)) === before; n += 1) {
    if (n % 20 === 0) dovecot.deliver(user, firstMail(user, n));
    await wait(LOOK_MS);
  }
  // The further ones, if there were any.
  for (let last = -1, now = 0; last !== now; now = await conversationsOf(api)) {
    last = now;
    await wait(500);
  }
}

export const firstMail = (user: string, n: number): string =>
  `From: first${n}@${user}.example\r\nMessage-ID: <first${n}@${user}.example>\r\nSubject: The first\r\n\r\nHello\r\n`;
