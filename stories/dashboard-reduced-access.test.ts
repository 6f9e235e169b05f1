import { BEN, joins, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { expect, test } from "vitest";

test("a lowered role names the keys that do less, and revokes them where that is wanted", async () => {
  const shop = await openShop("sqlite");
  const id = await joins(shop, BEN, "CHAT_AGENT_ADMIN");
  const keyOf = (name: string) => shop.frontdesk.command("key", "create", "--name", name, "--agent", id);
  const [sync, backup] = [await keyOf("Shop sync"), await keyOf("Backup")];
  const statusOf = async ({ api_key }: { api_key?: unknown }, path: string) =>
    (await fetch(`${shop.frontdesk.origin}/api/v1${path}`, { headers: { "X-API-KEY": String(api_key) } })).status;
  expect([await statusOf(sync, "/webhooks"), await statusOf(sync, "/contacts")]).toEqual([200, 200]);

  const ada = await signIn(shop, "/settings/team");
  await ada.page.getByRole("button", { name: /Ben/ }).click();
  await ada.page.getByRole("menuitem", { name: "Change role to Member" }).click();
  await ada.page.getByRole("button", { name: "Change to member" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Some access was reduced" });
  await dialog.getByRole("listitem").filter({ hasText: "Backup" }).waitFor();
  expect([await statusOf(sync, "/webhooks"), await statusOf(sync, "/contacts")]).toEqual([403, 200]);

  await dialog.getByRole("listitem").filter({ hasText: "Shop sync" }).getByRole("button", { name: "Revoke" }).click();
  await dialog.getByRole("listitem").filter({ hasText: "Shop sync" }).waitFor({ state: "detached" });
  expect([await statusOf(sync, "/contacts"), await statusOf(backup, "/contacts")]).toEqual([401, 200]);
  await dialog.getByRole("button", { name: "Close" }).click();

  // Deactivating lists the remaining keys and assistants, and the dialog closes after the last one.
  await ada.page.getByRole("button", { name: /Ben/ }).click();
  await ada.page.getByRole("menuitem", { name: "Deactivate" }).click();
  await ada.page.getByRole("dialog", { name: "Deactivate Ben?" }).getByRole("button", { name: "Deactivate" }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await statusOf(backup, "/contacts")).toBe(401);
  expect([...ada.complaints]).toEqual([]);
});
