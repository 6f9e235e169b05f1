/** Emails with HTML in the dashboard, in a real browser. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { query } from "./second-app.ts";
import type { Shop } from "./visitor-browser.ts";

/** A mailbox of the team; resolves to what posts a raw email, and waits until it is a message. Resolves to its conversation. */
export async function openMailbox({ frontdesk, api, teamId, widgetId }: Shop) {
  const address = `support-${teamId}@acme.test`;
  const settings = { address, inbound: { kind: "http" as const } };
  const { data } = await api.createChannel({ body: { channel: "email", widget_id: widgetId, settings } });
  const { pathname } = new URL(String(data.attributes.callback_url));
  const { storage } = frontdesk.running();
  let mails = 0;
  return async (content: string, from = `Vera <vera${++mails}@acme.test>`, subject = "Hello"): Promise<string> => {
    const id = `<${++mails}.${teamId}@acme.test>`;
    const body = `From: ${from}\r\nTo: ${address}\r\nMessage-ID: ${id}\r\nSubject: ${subject}\r\n${content}`;
    const headers = { "Content-Type": "message/rfc822" };
    const { status } = await fetch(`${frontdesk.origin}${pathname}`, { method: "POST", headers, body });
    expect(status).toBe(200);
    const found = () =>
      query(storage, `SELECT conversation_id FROM mails WHERE team_id = '${teamId}' AND header_id = '${id}'`);
    await expect.poll(async () => (await found()).length).toBe(1);
    return String((await found())[0]?.conversation_id);
  };
}

/** The content of an email with HTML alone. */
export const htmlEmail = (html: string): string =>
  `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(html).toString("base64")}`;

const FRAME = "document.querySelector('iframe[title=\"Formatted email\"]')";

/** Opens the formatted email of the page, once it is in its frame. What is asked of it is asked by the page: no script runs in it. */
export async function openFormatted(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Show formatted email" }).click();
  await isFilled(page, "");
}

/** @param query of the address of the frame's page */
export async function isFilled(page: Page, query: string): Promise<void> {
  const script = `(() => {
    const frame = ${FRAME};
    const page = frame?.contentDocument;
    return page?.location.search === ${JSON.stringify(query)} && page.body.childNodes.length > 0 && frame.style.height !== "";
  })()`;
  await expect.poll(() => page.evaluate(script)).toBe(true);
}

/** The value of an expression in which `email` is the document in the frame. */
export const ofEmail = <Value>(page: Page, expression: string): Promise<Value> =>
  page.evaluate(`((email) => ${expression})(${FRAME}.contentDocument)`) as Promise<Value>;
