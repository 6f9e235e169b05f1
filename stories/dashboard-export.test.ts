/** An owner exports the data of a contact, with a real download. */
import { readFileSync } from "node:fs";
import { violations } from "@frontdesk/testing/accessibility";
import { BEN, joins, signIn } from "@frontdesk/testing/agent-browser";
import { unzipped } from "@frontdesk/testing/unzipped";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { expect, test } from "vitest";

test("an owner exports a contact's data by the keyboard, and a teammate without the right sees no button", async () => {
  const shop = await openShop();
  const { api, widgetId } = shop;
  const { data } = await api.sendVisitorMessage({
    body: { widget_id: widgetId, name: "Vera", email: "vera@visitor.test", content: "Do you ship to Portugal?" },
  });
  const { conversation_id, chat_contact_id: id } = data.attributes;
  await api.createMessage({ body: { conversation_id, content: "A friend of Ben's", type: "note" } });
  await api.sendVisitorMessage({ body: { widget_id: widgetId, name: "Noor", content: "Somebody else" } });

  const { page, complaints } = await signIn(shop, `/contacts/${id}`);
  const { keyboard } = page;
  const open = page.getByRole("button", { name: "Export data…" });
  await open.focus();
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Export the data of Vera" });
  await dialog.getByRole("checkbox", { name: "Include internal notes and tags" }).focus();
  await keyboard.press("Space");
  expect(await violations(page, "the dialog")).toEqual([]);
  await dialog.getByRole("button", { name: "Create export" }).focus();
  await keyboard.press("Enter");
  const link = dialog.getByRole("link", { name: /^Download/ });
  await link.waitFor();
  await dialog.getByText("With notes and tags", { exact: true }).waitFor();
  expect(await violations(page, "the dialog with an export")).toEqual([]);

  await link.focus();
  const [saved] = await Promise.all([page.waitForEvent("download"), keyboard.press("Enter")]);
  expect(saved.suggestedFilename()).toMatch(/^contact-export-\d{4}-\d\d-\d\d\.zip$/);
  const zip = unzipped(readFileSync(await saved.path()));
  expect(zip.names).toEqual(["contact.json", "conversations.json", "index.html", "SHA256SUMS"]);
  expect(JSON.parse(zip.read("contact.json").toString()).contact).toMatchObject({ id, email: "vera@visitor.test" });
  const said = zip.read("conversations.json").toString();
  expect(said).toContain("Do you ship to Portugal?");
  expect(said).toContain("A friend of Ben's");
  expect(said).not.toContain("Somebody else");

  // The page of the export opens without us, and nothing in it asks the network for anything.
  const alone = await page.context().newPage();
  const asked: string[] = [];
  alone.on("request", (request) => asked.push(request.url()));
  await alone.setContent(zip.read("index.html").toString());
  expect(await alone.getByRole("heading", { level: 1 }).textContent()).toContain("Your data at");
  expect(await violations(alone, "the page of the export")).toEqual([]);
  expect(asked).toEqual([]);
  await alone.close();

  await keyboard.press("Escape");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Export data…");
  // The same beside a conversation of theirs.
  await page.goto(new URL(`/app/inbox/${conversation_id}`, page.url()).href);
  await page.getByRole("button", { name: "Export data…" }).click();
  await dialog.getByRole("link", { name: /^Download/ }).waitFor();
  await keyboard.press("Escape");
  await page.goto(new URL("/app/settings/audit-log", page.url()).href);
  await page.getByText("Contact exported with notes and tags").waitFor();
  expect(complaints).toEqual([]);

  await joins(shop, BEN);
  const ben = await signIn(shop, `/contacts/${id}`, {}, BEN);
  await ben.page.getByRole("button", { name: "Block visitor" }).waitFor();
  expect(await ben.page.getByRole("button", { name: "Export data…" }).count()).toBe(0);
});
