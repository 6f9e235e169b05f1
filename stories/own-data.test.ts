/** A visitor gets their own data: the owner allows it, and a real mail leads to a real download. */
import { readFileSync } from "node:fs";
import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { readMail, startMailServer } from "@frontdesk/testing/mail-server";
import { unzipped } from "@frontdesk/testing/unzipped";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { afterAll, expect, test } from "vitest";

test("the owner allows it, and a visitor asks for their data and downloads it by the keyboard", async () => {
  const mail = await startMailServer();
  afterAll(mail.stop);
  const shop = await openShop("sqlite", { SMTP_URL: `smtp://127.0.0.1:${mail.port}` });
  const email = "vera@visitor.test";
  await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, name: "Vera", email, content: "My words" } });

  const { page: settings, complaints } = await signIn(shop, "/settings/privacy");
  await settings.getByRole("switch", { name: "Visitors may ask for their data" }).focus();
  await settings.keyboard.press("Space");
  const pages = settings.getByRole("list", { name: "Pages for visitors" });
  await pages.waitFor();
  expect(await violations(settings, "the settings")).toEqual([]);
  const address = `${shop.frontdesk.origin}/my-data/${shop.widgetId}`;
  await expect.poll(() => pages.textContent()).toContain(address);

  const context = await settings.context().browser()?.newContext({ acceptDownloads: true });
  if (!context) throw new Error("There is no browser.");
  afterAll(() => context.close());
  const page = await context.newPage();
  await page.goto(address);
  const { keyboard } = page;
  const field = page.getByRole("textbox", { name: "Email" });
  await field.focus();
  await keyboard.type("vera");
  await keyboard.press("Enter");
  await page.getByText("Enter a valid email address.").waitFor();
  expect(await field.inputValue()).toBe("vera");
  expect(await violations(page, "the form with a mistake")).toEqual([]);
  await field.fill(email);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Check your email" }).waitFor();

  const toVisitor = () => mail.inbox.filter(({ to }) => to.includes(email));
  await expect.poll(() => toVisitor().length).toBe(1);
  const [sent] = toVisitor();
  const link = /http\S+/.exec(sent ? readMail(sent).part("text/plain") : "")?.[0] ?? "";
  await page.goto(link);
  expect(await violations(page, "the page that asks to confirm")).toEqual([]);
  await page.getByRole("button", { name: "Create file" }).focus();
  await keyboard.press("Enter");
  const download = page.getByRole("link", { name: /^Download/ });
  await page.getByRole("heading", { name: /^Your file is/ }).waitFor();
  await expect
    .poll(async () => {
      await page.reload();
      return download.count();
    })
    .toBe(1);
  expect(await violations(page, "the page with the file")).toEqual([]);
  await download.focus();
  const [saved] = await Promise.all([page.waitForEvent("download"), keyboard.press("Enter")]);
  const zip = unzipped(readFileSync(await saved.path()));
  expect(zip.read("conversations.json").toString()).toContain("My words");

  await settings.goto(new URL("/app/settings/audit-log", settings.url()).href);
  const lines = settings.getByRole("list", { name: "Audit log" });
  await lines.getByText("Contact exported their own data").waitFor();
  await lines.getByText("Requests by visitors turned on", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
