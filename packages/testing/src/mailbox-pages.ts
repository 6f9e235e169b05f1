/** The pages of mailboxes in a browser, and mailboxes to look at. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { dialogOf } from "./agent-browser.ts";
import type { Dovecot } from "./dovecot.ts";
import type { Shop } from "./visitor-browser.ts";

export const main = (page: Page) => page.locator("main");
export const says = (page: Page, text: string | RegExp) => expect.poll(() => main(page).innerText()).toMatch(text);
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const inDialog = (page: Page, name: string) => dialogOf(page).getByRole("button", { name, exact: true });
export const dialogSays = (page: Page, text: string | RegExp) =>
  expect.poll(() => dialogOf(page).innerText()).toMatch(text);
export const heading = (page: Page) => page.evaluate<string>("document.activeElement.textContent");
export const focusedField = (page: Page) => page.evaluate<string>("document.activeElement.labels?.[0].textContent");

/** Connected mailboxes on a Dovecot, made by the API, and their pages. */
export function mailboxOn({ dovecot, smtp }: { dovecot: Pick<Dovecot, "port" | "password">; smtp: { port: number } }) {
  return async (shop: Shop, address: string, password = dovecot.password) => {
    const at = (port: number) => ({ host: "127.0.0.1", port, security: "none", username: address, password }) as const;
    const { data } = await shop.api.createChannel({
      body: {
        ...{ channel: "email", widget_id: shop.widgetId, name: "Support" },
        settings: { address, inbound: { kind: "imap", ...at(dovecot.port) }, outbound: at(smtp.port) },
      },
    });
    const read = async () => (await shop.api.getChannel({ params: { id: data.id } })).data.attributes;
    return { id: data.id, path: `/settings/channels/${data.id}`, read };
  };
}
