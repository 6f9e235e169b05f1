/** Websites and files as sources of articles, on the knowledge page. */

import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);

test("an admin adds a website, sees in words why it cannot be read, removes it, and imports a file as a draft", async () => {
  const { page } = await signIn(shop, "/knowledge");
  await page.getByRole("button", { name: "Sources" }).click();
  const dialog = page.getByRole("dialog", { name: "Sources" });
  await dialog.getByText("No websites yet.").waitFor();

  await dialog.getByLabel("Website address").fill("localhost");
  await dialog.getByRole("button", { name: "Add website" }).click();
  await dialog.getByText("This isn’t the address of a website.").waitFor();
  await dialog.getByLabel("Website address").fill("https://10.0.0.7/help/");
  await dialog.getByRole("button", { name: "Add website" }).click();
  await dialog.getByText("This address isn’t on the public internet.").waitFor();
  expect(await violations(page, "the sources")).toEqual([]);

  await dialog.getByLabel("Import file").setInputFiles({
    name: "Returns.md",
    mimeType: "text/markdown",
    buffer: Buffer.from("# How do I send it back?\n\nIn its own box."),
  });
  await page.getByText("Articles added: 1").waitFor();
  await dialog.getByRole("button", { name: "Remove website" }).click();
  await page
    .getByRole("dialog", { name: "Remove this website?" })
    .getByRole("button", { name: "Remove website" })
    .click();
  await dialog.getByText("No websites yet.").waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("switch", { name: "Drafts only" }).click();
  const draft = page.getByRole("link", { name: "How do I send it back?" });
  await draft.getByText("Returns.md").waitFor();
  await draft.getByText("Draft", { exact: true }).waitFor();
  expect(await violations(page, "the drafts")).toEqual([]);
  await page.context().close();
});
