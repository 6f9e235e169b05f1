/** Settings > Developer tools: API keys and webhooks, in a real browser, with a real program and a real receiver. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inDarkScheme, violations } from "@frontdesk/testing/accessibility";
import { BEN, dialogOf, joins, signIn } from "@frontdesk/testing/agent-browser";
import { newAuthority } from "@frontdesk/testing/certificates";
import { deep } from "@frontdesk/testing/depth";
import { type Received, startReceiver, status } from "@frontdesk/testing/https-receiver";
import { openChat, openShop, visit, write } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const authority = newAuthority();
const folder = mkdtempSync(join(tmpdir(), "frontdesk-authority-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "ca.pem"), authority.ca);
const receiver = await startReceiver({ authority });
afterAll(() => receiver.close());
const shop = await openShop(
  "sqlite",
  {
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
    WEBHOOK_RETRY_SECONDS: "1,600,900",
  },
  afterAll,
);
const endpoint = String(receiver.url("/hook", "localhost"));

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const inDialog = (page: Page, name: string | RegExp) => dialogOf(page).getByRole("button", { name });
/** The code under a heading, as copied. */
const code = (page: Page, label: string | RegExp) => page.getByRole("region", { name: label }).last().innerText();
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

async function closeSecret(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "I’ve saved it" }).click();
  await inDialog(page, "Done").click();
  await dialogOf(page).waitFor({ state: "detached" });
}

const withKey = (key: string, path: string, method = "GET") =>
  fetch(`${shop.frontdesk.origin}/api/v1${path}`, { method, headers: { "X-API-KEY": key } });

const veraWrites = (content: string) =>
  shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, name: "Vera", email: "vera@acme.test", content } });

test("an API key is made, shown once, used, seen to be used, and revoked", async () => {
  const { page, complaints } = await signIn(shop, "/settings/api-keys");
  await button(page, "Create API key").click();
  await page.getByLabel("Name", { exact: true }).fill("Shop sync");
  // A key starts with no permission.
  expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);
  await button(page, "Create key").click();
  await expect.poll(() => dialogOf(page).innerText()).toContain("Select at least one permission");
  await page.getByRole("checkbox", { name: "Contacts: Read" }).click();
  await button(page, "Create key").click();

  // No key and no click beside it closes the dialog: the key has to be saved first.
  await expect.poll(() => dialogOf(page).innerText()).toContain("Your new API key");
  const value = await code(page, "Shop sync");
  expect(value).toMatch(/^fd_key_/);
  await page.keyboard.press("Escape");
  await expect.poll(() => dialogOf(page).innerText()).toContain("Save it first");
  const command = await code(page, "Try it in a terminal");
  const { stdout } = await promisify(execFile)("bash", ["-c", command]);
  expect(JSON.parse(stdout)).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
  // Esc has moved the focus to the checkbox.
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Create API key");
  expect(await page.content()).not.toContain(value);

  expect((await withKey(value, "/widgets")).status).toBe(403);
  const row = page.locator("main li").filter({ hasText: "Shop sync" });
  await expect.poll(() => row.innerText()).toContain("Read: Contacts");
  expect(await row.innerText()).toContain(`…${value.slice(-4)}`);
  await expect.poll(() => row.innerText()).toMatch(/Ada .*Last used this minute .*Expires/);

  await row.getByRole("button", { name: "Revoke Shop sync" }).click();
  await inDialog(page, "Revoke").click();
  await expect.poll(() => row.innerText()).toContain("Revoked");
  expect((await withKey(value, "/contacts")).status).toBe(401);
  await expect.poll(() => row.getByRole("button").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("the owner switches the access of all keys, and takes it back", async () => {
  const { page } = await signIn(shop, "/settings/api-keys");
  await page.getByRole("switch", { name: "Allow API access" }).click();
  await expect.poll(async () => (await withKey(shop.apiKey, "/contacts")).status).toBe(403);
  await button(page, "Undo").click();
  await expect.poll(async () => (await withKey(shop.apiKey, "/contacts")).status).toBe(200);
});

test("a key of a deactivated agent says so; admins cannot switch the access; members see none of it", async () => {
  await joins(shop, BEN, "CHAT_AGENT_ADMIN");
  const bens = await signIn(shop, "/settings/api-keys", {}, BEN);
  await button(bens.page, "Create API key").click();
  await bens.page.getByRole("checkbox", { name: "Full access" }).click();
  await bens.page.getByLabel("Name", { exact: true }).fill("Bens script");
  await bens.page.keyboard.press("Enter");
  await closeSecret(bens.page);
  await expect.poll(() => bens.page.getByRole("switch").isDisabled()).toBe(true);
  const mia = { name: "Mia", email: "mia@acme.test", password: "purple monkey" };
  await joins(shop, mia);
  const { page } = await signIn(shop, "/settings/api-keys");
  const row = page.locator("main li").filter({ hasText: "Bens script" });
  await expect.poll(() => row.innerText()).toContain("Ben");
  const ben = (await shop.api.listAgents()).data.find(({ attributes }) => attributes.email === BEN.email);
  await page.evaluate(
    `fetch("/app/api/agents/${ben?.id}/deactivate", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" })`,
  );
  await page.reload();
  await expect.poll(() => row.innerText()).toContain("Owner deactivated");

  const member = await signIn(shop, "/settings/webhooks", {}, mia);
  await expect.poll(() => member.page.locator("main").innerText()).toContain("Ask an admin");
  expect(await member.page.getByRole("link", { name: "API keys" }).count()).toBe(0);
});

test("a webhook, from its first event to its removal", async () => {
  const { page, complaints } = await signIn(shop, "/settings/webhooks");
  await expect.poll(() => page.locator("main").innerText()).toContain("No webhooks yet");
  await button(page, "Add webhook").click();
  await page.getByLabel("Endpoint URL").fill(endpoint);
  await page.getByLabel("Name", { exact: true }).fill("Order system");
  await inDialog(page, "Add webhook").click();
  await expect.poll(() => dialogOf(page).innerText()).toContain("Select at least one event");
  await page.getByRole("checkbox", { name: "Tags" }).click();
  await page.getByRole("searchbox", { name: "Search events" }).fill("visitor sends");
  await expect.poll(() => page.getByRole("checkbox", { name: /^tag/ }).count()).toBe(0);
  await page.getByRole("checkbox", { name: /^message\.received/ }).click();
  await expect.poll(() => dialogOf(page).innerText()).toContain("3 events");
  await inDialog(page, "Add webhook").click();
  await expect.poll(() => dialogOf(page).innerText()).toContain("Signing secret");
  const snippet = await code(page, /Verify the signature/);
  const { isFromFrontdesk } = (await import(`data:text/javascript,${encodeURIComponent(snippet)}`)) as {
    isFromFrontdesk(headers: Received["headers"], body: Buffer, secret: string): boolean;
  };
  const secret = await code(page, "Signing secret");
  expect(secret).toMatch(/^whsec_/);
  await closeSecret(page);
  await expect.poll(() => page.url()).toMatch(/\/settings\/webhooks\/[0-9a-f-]{36}$/);
  await expect.poll(() => page.locator("main").innerText()).toContain("Nothing sent yet");
  expect(await page.content()).not.toContain(secret);
  const own = page.url();

  const latest = () => receiver.received.at(-1) as Received;
  const genuine = (by: string, { headers, body } = latest()) => isFromFrontdesk(headers, body, by);
  const log = page.getByRole("table", { name: "Deliveries" }).locator("tbody tr");
  const came = async (count: number) => expect.poll(() => receiver.received.length).toBe(count);

  // A visitor's message, from another browser. Its delivery appears without a reload.
  const vera = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  await write(await openChat(vera.page), "Do you ship to Portugal?");
  await came(1);
  expect(JSON.parse(latest().body.toString()).data.message.content).toBe("Do you ship to Portugal?");
  expect(genuine(secret)).toBe(true);
  expect(isFromFrontdesk(latest().headers, Buffer.concat([latest().body, Buffer.from(" ")]), secret)).toBe(false);
  await expect.poll(() => log.allInnerTexts()).toEqual([expect.stringMatching(/message\.received\s+Delivered/)]);

  // A failing receiver: each attempt is listed, and a replay succeeds when it works again.
  receiver.answers(status(503, {}, "Down for tea"), status(400, {}, "No"), status(200));
  await veraWrites("Hello?");
  await came(3);
  await expect.poll(() => log.first().innerText()).toContain("Failed");
  await expect.poll(() => page.locator("main").innerText()).toContain("The latest delivery failed: Responded with 400");
  await log.first().getByRole("link").click();
  await expect.poll(() => page.url()).toContain("delivery=evt_");
  await expect.poll(() => dialogOf(page).locator("summary").allInnerTexts()).toHaveLength(2);
  const [second, first] = await dialogOf(page).locator("summary").allInnerTexts();
  expect(second).toMatch(/Attempt 2 of 4\s+Responded with 400\s+.* ms/);
  expect(first).toMatch(/Attempt 1 of 4\s+Responded with 503/);
  await dialogOf(page).locator("summary").last().click();
  await expect.poll(() => code(page, "First 4 KiB of the response body")).toBe("Down for tea");
  expect(await code(page, "Request headers")).toMatch(/^POST https:\/\/localhost.*X-Service-Delivery-Attempt: 1/s);
  await page.getByRole("switch", { name: "Format JSON" }).click();
  await expect.poll(() => code(page, "Request body")).toBe(latest().body.toString());
  expect(await dialogOf(page).innerText()).not.toContain("sha256=");
  await button(page, "Resend").click();
  await came(4);
  expect(latest().body).toEqual(receiver.received.at(-2)?.body);
  await expect.poll(() => dialogOf(page).locator("header").innerText()).toContain("Delivered");
  await expect.poll(() => dialogOf(page).locator("summary").count()).toBe(3);
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });
  expect(page.url()).not.toContain("delivery=");
  await expect.poll(() => focused(page)).toBe("message.received");

  // The filters are in the URL.
  await page.getByLabel("Status", { exact: true }).selectOption("failed");
  await expect.poll(() => page.locator("main").innerText()).toContain("No results");
  expect(page.url()).toContain("state=failed");
  await page.reload();
  await expect.poll(() => page.getByLabel("Status", { exact: true }).inputValue()).toBe("failed");
  await page.getByLabel("Status", { exact: true }).selectOption("");
  await expect.poll(() => log.count()).toBe(2);

  // A test event shows its result.
  await button(page, "Send test event").click();
  await page.getByLabel("Event", { exact: true }).last().selectOption("tag.assigned");
  await inDialog(page, "Send test event").click();
  await came(5);
  expect(latest().headers["x-service-event"]).toBe("tag.assigned");
  await expect.poll(() => dialogOf(page).innerText()).toMatch(/tag\.assigned.*Delivered.*Attempt 1 of 1/s);
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });

  // A new secret: both sign until the old one is stopped.
  await button(page, "More").click();
  await page.getByRole("menuitem", { name: "Rotate signing secret" }).click();
  await inDialog(page, "Rotate signing secret").click();
  const next = await code(page, /New signing secret/);
  expect(next).not.toBe(secret);
  await closeSecret(page);
  await expect.poll(() => page.locator("main").innerText()).toContain("the old and the new secret");
  await veraWrites("Still there?");
  await came(6);
  expect([genuine(secret), genuine(next)]).toEqual([true, true]);
  await button(page, "Activate now").click();
  await inDialog(page, "Activate now").click();
  await expect.poll(() => page.locator("main").innerText()).not.toContain("the old and the new secret");
  await veraWrites("Hm");
  await came(7);
  expect([genuine(secret), genuine(next)]).toEqual([false, true]);

  // While it is paused nothing is sent; afterwards deliveries resume.
  await button(page, "More").click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await inDialog(page, "Pause").click();
  await expect.poll(() => page.locator("main").innerText()).toContain("This webhook is paused");
  await veraWrites("Nobody hears this");
  await expect.poll(() => button(page, "Send test event").isDisabled()).toBe(true);
  await button(page, "Resume").click();
  await expect.poll(() => button(page, "Send test event").isDisabled()).toBe(false);
  receiver.answers(status(400), status(400), status(200));
  await veraWrites("This is lost at first");
  await veraWrites("This too");
  await came(9);
  expect(receiver.received.map(({ body }) => body.toString())).not.toContainEqual(
    expect.stringContaining("Nobody hears this"),
  );
  await expect.poll(() => log.allInnerTexts()).toContainEqual(expect.stringContaining("Failed"));

  // After an outage, a replay of all failed ones.
  await expect.poll(async () => (await log.allInnerTexts()).filter((text) => text.includes("Failed")).length).toBe(2);
  await button(page, "Retry failed deliveries").click();
  await inDialog(page, "Retry failed deliveries").click();
  await expect.poll(() => page.locator("body").innerText()).toContain("2 deliveries will be sent again");
  await came(11);
  await expect
    .poll(async () => (await log.allInnerTexts()).filter((text) => text.includes("Delivered")).length)
    .toBe(7);

  await button(page, "Edit").click();
  await page.getByLabel("Name", { exact: true }).fill("Warehouse");
  await button(page, "Save changes").click();
  await page.getByRole("heading", { name: "Warehouse" }).waitFor();
  await button(page, "More").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await inDialog(page, "Delete").click();
  await expect.poll(() => page.locator("main").innerText()).toContain("No webhooks yet");
  await page.goto(own);
  await expect.poll(() => page.locator("main").innerText()).toContain("Couldn’t load this");
  // The browser logs the refused request for the deleted webhook.
  expect(complaints.filter((text) => !text.includes("403"))).toEqual([]);
});

test.runIf(deep)("keys and webhooks are accessible, light and dark", async () => {
  const made = await shop.api.createWebhook({ body: { endpoint_url: endpoint, events: ["message.received"] } });
  const { id } = made.data;
  receiver.answers(status(400, { "Content-Type": "text/html" }, "<h1>No</h1>"));
  await veraWrites("Hello");
  const { page } = await signIn(shop, "/settings/api-keys", { colorScheme: "light" });
  const found: string[] = [];
  const look = async (name: string) => found.push(...(await violations(page, name, inDarkScheme)));
  const close = async () => {
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "detached" });
  };

  await page.getByRole("button", { name: /^Revoke main/ }).waitFor();
  await look("API keys");
  await button(page, "Create API key").click();
  await dialogOf(page).waitFor();
  await look("a new key");
  await page.getByRole("checkbox", { name: "Full access" }).click();
  await page.getByLabel("Name", { exact: true }).fill("For axe");
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: "I’ve saved it" }).waitFor();
  await page.keyboard.press("Escape");
  await look("a secret");
  await closeSecret(page);
  await page.getByRole("button", { name: "Revoke For axe" }).first().click();
  await dialogOf(page).waitFor();
  await look("a question");
  await close();

  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("link", { name: "localhost" }).waitFor();
  await look("webhooks");
  await button(page, "Add webhook").click();
  await dialogOf(page).waitFor();
  await look("a new webhook");
  await close();
  await page.getByRole("link", { name: "localhost" }).first().click();
  await page.getByText("The latest delivery failed").waitFor();
  await look("a webhook");
  await button(page, "Send test event").click();
  await dialogOf(page).waitFor();
  await look("a test event");
  await close();
  await button(page, "Retry failed deliveries").click();
  await dialogOf(page).waitFor();
  await look("failed ones again");
  await close();
  await page.getByRole("table", { name: "Deliveries" }).getByRole("link").first().click();
  await page.getByRole("region", { name: "First 4 KiB of the response body" }).waitFor();
  await look("a delivery");
  await close();
  expect(found).toEqual([]);
  await shop.api.deleteWebhook({ params: { webhook: id } });
});
