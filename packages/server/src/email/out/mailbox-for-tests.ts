/** Mailboxes of tests: mails are posted to them, and replies go to a mail server that answers as a script says. */
import { type SmtpScript, startScriptedSmtp } from "@frontdesk/testing/scripted-smtp";
import { query } from "@frontdesk/testing/second-app";
import type { TestApp, TestTeam } from "@frontdesk/testing/test-kit";
import { expect, onTestFinished } from "vitest";

interface Mail {
  from?: string;
  to?: string;
  cc?: string;
  more?: string[];
  text?: string;
  /** Lines below the text, such as a quote. */
  below?: readonly string[];
}

export interface Delivery {
  state: string;
  reason: string | null;
  attempts: { state: string; reason: string | null }[];
  recipients: { address: string; state: string; reason: string | null }[];
}

/** Every mail, mailbox and text has a number of its own. */
let written = 0;
export const nextNumber = (): number => ++written;

export function mailRoom({ app, storage }: Pick<TestApp, "app" | "storage">) {
  /** A mailbox whose mails are posted, and a mail server that takes replies as the script says. */
  async function mailbox(acme: TestTeam, script: SmtpScript = {}, settings: object = {}) {
    const smtp = await startScriptedSmtp(script);
    onTestFinished(() => smtp.close());
    const address = `support${++written}@acme.example`;
    const outbound = { host: "127.0.0.1", port: smtp.port, security: "none", username: "ada", password: "secret" };
    const { status, body } = await acme.post("/channels", {
      ...{ channel: "email", widget_id: acme.widgetId },
      settings: { address, inbound: { kind: "http" }, outbound, ...settings },
    });
    expect(status).toBe(201);
    const { id, attributes } = body.data;
    const path = new URL(attributes.callback_url).pathname;

    const post = async (raw: string | Buffer) => {
      const headers = { "content-type": "message/rfc822" };
      const answer = await app.http.inject({ method: "POST", url: path, headers, payload: Buffer.from(raw) });
      expect(answer.statusCode).toBe(200);
    };

    /** Posts a mail, and waits until it is a message. Resolves to its conversation. */
    async function arrives({
      from = "Vera <vera@vera.example>",
      to = address,
      cc,
      more = [],
      text = "Hello",
      below = [],
    }: Mail = {}) {
      const content = `${text} ${++written}`;
      const lines = [`From: ${from}`, `To: ${to}`, ...(cc ? [`Cc: ${cc}`] : []), ...more];
      const ids = more.some((line) => line.startsWith("Message-ID:"))
        ? []
        : [`Message-ID: <in-${written}@vera.example>`];
      const subject = more.some((line) => line.startsWith("Subject:")) ? [] : ["Subject: Size 40?"];
      const raw = [...lines, ...ids, ...subject, "", content, ...below].join("\r\n");
      await post(raw);
      const found = () =>
        query(
          storage,
          `SELECT conversation_id FROM messages WHERE team_id = '${acme.teamId}' AND content LIKE '${content}%'`,
        );
      await expect.poll(async () => (await found()).length).toBe(1);
      return String((await found())[0]?.conversation_id);
    }
    return { id, address, smtp, post, arrives };
  }

  const reply = (acme: TestTeam, conversation_id: string, more: object = {}) =>
    acme.post("/messages", { conversation_id, content: "Yes, in stock.", ...more });

  /** The newest message with its delivery. */
  async function newest(acme: TestTeam, conversationId: string) {
    const { body } = await acme.get(`/conversations/${conversationId}/messages?include_fields=content,type,delivery`);
    return body.data[0] as { id: string; attributes: { content: string; delivery: Delivery | null } };
  }
  const deliveryOf = async (acme: TestTeam, id: string) => (await newest(acme, id)).attributes.delivery;
  const isIn = (acme: TestTeam, id: string, state: string) =>
    expect.poll(async () => (await deliveryOf(acme, id))?.state).toBe(state);
  const countMessages = (acme: TestTeam) =>
    query(storage, `SELECT count(*) AS n FROM messages WHERE team_id = '${acme.teamId}'`).then(([row]) =>
      Number(row?.n),
    );

  return { mailbox, reply, newest, deliveryOf, isIn, countMessages };
}
