import { violations } from "@frontdesk/testing/accessibility";
import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import {
  bubbles,
  choose,
  notes,
  openChat,
  openShop,
  picture,
  slowNetwork,
  visit,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

const field = (page: Page) => page.locator("section textarea");
/** The files of the message being written. */
const tray = (page: Page) => page.locator("section ul").filter({ has: page.getByRole("button", { name: /^Remove / }) });
const file = (page: Page, name: string) => tray(page).getByRole("listitem").filter({ hasText: name });
const allThere = (page: Page) => expect.poll(() => tray(page).getByRole("progressbar").count()).toBe(0);

async function attach(page: Page, ...files: Parameters<typeof choose>[3][]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles(files);
}

/** A file that is dropped on the thread, or pasted into the field. */
function bring(page: Page, how: "drop" | "paste", name: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File(["Some words."], ${JSON.stringify(name)}, { type: "text/plain" }));
    const options = { bubbles: true, cancelable: true };
    if (${how === "paste"}) {
      const field = document.querySelector("section textarea");
      return field.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: data }));
    }
    const thread = document.querySelector("[data-index]");
    // Unhandled, the browser would open the file instead of the page.
    window.taken = !thread.dispatchEvent(new DragEvent("dragover", { ...options, dataTransfer: data }));
    thread.dispatchEvent(new DragEvent("drop", { ...options, dataTransfer: data }));
  })()`);
}

test("files go to the visitor and come from them, and whatever goes wrong on the way is said", async () => {
  const shop = await openShop("sqlite", { UPLOAD_MAX_MB: "1" });
  const { page, complaints } = await signIn(shop);
  const site = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const vera = await openChat(site.page);
  await write(vera, "Hello");
  await expect.poll(() => bubbles(vera)).toContain("Hello");
  await page.locator("[role=listitem] a").first().click();
  await field(page).waitFor();
  await page.locator("[data-index]").first().waitFor();

  // By the button, dropped anywhere, and pasted.
  await attach(page, picture);
  await bring(page, "drop", "dropped.txt");
  await expect.poll(() => page.evaluate("window.taken")).toBe(true);
  await bring(page, "paste", "pasted.txt");
  await expect.poll(() => tray(page).getByRole("listitem").count()).toBe(3);
  await allThere(page);

  // Nine are accepted, a tenth is not.
  await attach(page, ...Array.from({ length: 7 }, (_, index) => notes(`page-${index + 1}.txt`)));
  await page.getByText("Up to 9 files per message.").first().waitFor();
  await expect.poll(() => tray(page).getByRole("listitem").count()).toBe(9);
  for (let index = 1; index <= 6; index += 1) {
    await page.getByRole("button", { name: `Remove page-${index}.txt` }).click();
  }
  await page.getByRole("button", { name: "Remove pasted.txt" }).click();
  await expect.poll(() => tray(page).getByRole("listitem").count()).toBe(2);

  // Progress is visible, and the upload can be cancelled.
  const quick = await slowNetwork(page, 100_000);
  await attach(page, notes("slow.txt", "x".repeat(500_000)));
  await expect
    .poll(async () => Number(await file(page, "slow.txt").getByRole("progressbar").getAttribute("value")))
    .toBeGreaterThan(0.1);
  expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Remove slow.txt" }).click();
  await expect.poll(() => file(page, "slow.txt").count()).toBe(0);
  await quick();

  // An empty file is refused at once, a too large one names the limit, and neither is retried in vain. What keeps the message
  // from being sent is named; without it, the rest can be sent.
  const send = page.getByRole("button", { name: "Send", exact: true });
  const blocked = page.getByRole("alert").filter({ hasText: "isn’t uploaded" });
  await expect.poll(() => send.isEnabled()).toBe(true);
  await attach(page, notes("empty.txt", ""));
  await file(page, "empty.txt").getByText("This file is empty.").waitFor();
  expect(await file(page, "empty.txt").getByRole("button", { name: "Try again" }).count()).toBe(0);
  expect(await blocked.textContent()).toBe("“empty.txt” isn’t uploaded. Remove it to send your message without it.");
  expect(await send.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Remove empty.txt" }).click();
  await expect.poll(() => send.isEnabled()).toBe(true);
  expect(await blocked.count()).toBe(0);
  await attach(page, notes("large.txt", "x".repeat(1_500_000)));
  await expect.poll(() => file(page, "large.txt").innerText()).toContain("Files can be up to 1 MB.");
  expect(await file(page, "large.txt").getByRole("button", { name: "Try again" }).count()).toBe(0);
  await blocked.getByText("“large.txt”").waitFor();
  expect(await violations(page, "files on their way")).toEqual([]);
  await page.getByRole("button", { name: "Remove large.txt" }).click();
  await page.context().setOffline(true);
  await attach(page, notes("tunnel.txt"));
  await file(page, "tunnel.txt").getByText("Can’t reach the server").waitFor();
  await page.context().setOffline(false);
  await file(page, "tunnel.txt").getByRole("button", { name: "Try again" }).click();
  await allThere(page);
  await expect.poll(() => file(page, "tunnel.txt").getByText("Can’t reach the server").count()).toBe(0);

  await field(page).fill("Here you are.");
  await field(page).press("Enter");
  await expect.poll(() => bubbles(vera)).toContainEqual(expect.stringContaining("Here you are."));
  for (const name of ["dropped.txt", "tunnel.txt"]) await vera.getByText(name).waitFor();
  await expect.poll(() => vera.locator("img[alt='fern.png']").count()).toBe(1);
  expect(await tray(page).count()).toBe(0);

  // The visitor's image is opened; closing it returns the focus.
  await choose(site.page, vera, "Attach files", { ...picture, name: "leaf.png" });
  await expect.poll(() => vera.locator(".files progress, .files .problem").count()).toBe(0);
  await write(vera, "What is this?");
  const leaf = page.getByRole("button", { name: "Enlarge leaf.png" });
  await leaf.click();
  await dialogOf(page).getByRole("img", { name: "leaf.png" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => dialogOf(page).count()).toBe(0);
  expect(await leaf.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);

  // A file that can run code is saved only after a warning.
  await choose(site.page, vera, "Attach files", notes("invoice.pdf.exe", "MZ"));
  await expect.poll(() => vera.locator(".files progress, .files .problem").count()).toBe(0);
  await write(vera, "My invoice");
  const risky = page.getByRole("button", { name: /invoice\.pdf\.exe/ });
  await risky.click();
  await dialogOf(page).getByText("Files of this type can run code").waitFor();
  expect(await violations(page, "the warning of a file")).toEqual([]);
  await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => dialogOf(page).count()).toBe(0);
  expect(await page.getByRole("link", { name: /invoice\.pdf/ }).count()).toBe(0);
  await risky.click();
  const saved = page.waitForEvent("download");
  await dialogOf(page).getByRole("button", { name: "Download" }).click();
  expect((await saved).suggestedFilename()).toBe("invoice.pdf.exe");
  await expect.poll(() => dialogOf(page).count()).toBe(0);

  expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|413/.test(text))).toEqual([]);
});
