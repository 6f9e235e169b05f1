import { BEN, dialogOf, joins, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { expect, test } from "vitest";

test("changing a role and deactivating ask first, and the open conversations are handed over", async () => {
  const shop = await openShop();
  const benId = await joins(shop, BEN);
  const caro = { name: "Caro", email: "caro@acme.test", password: "trombone lessons" };
  const caroId = await joins(shop, caro);
  for (const name of ["Vera", "Hugo"]) {
    const { data } = await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, name, content: "Hello" } });
    const { conversation_id } = data.attributes;
    await shop.api.assignAgent({ params: { conversation_id }, body: { agent_id: benId } });
  }
  const agentOf = async (id: string) => (await shop.api.getAgent({ params: { id } })).data.attributes;
  const ada = await signIn(shop, "/settings/team");
  const { page } = ada;
  const menu = (name: string) => page.getByRole("button", { name: `Edit ${name}` });
  const choose = async (name: string, item: string) => {
    await menu(name).click();
    await page.getByRole("menuitem", { name: item }).click();
    return dialogOf(page);
  };

  let dialog = await choose("Ben", "Change role to Owner");
  await dialog.getByText("Make Ben an owner?").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await agentOf(benId)).role).toBe("CHAT_AGENT_MEMBER");
  dialog = await choose("Caro", "Change role to Admin");
  await dialog.getByRole("button", { name: "Change to admin" }).click();
  await page.getByText("Caro is now an admin.").waitFor();
  expect((await agentOf(caroId)).role).toBe("CHAT_AGENT_ADMIN");

  const ben = await signIn(shop, "/inbox", {}, BEN);
  dialog = await choose("Ben", "Deactivate");
  await dialog.getByText("Deactivate Ben?").waitFor();
  await dialog.getByLabel("Hand over 2 open conversations to").selectOption({ label: "Caro" });
  await dialog.getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Ben was deactivated and signed out.").waitFor();
  await ben.page.getByText("Your account was deactivated.").waitFor();
  const assigned = async () => {
    const { data } = await shop.api.listConversations({ query: { include_fields: "agents" } });
    return data.map(({ attributes }) => attributes.agents?.map(({ id }) => id));
  };
  await expect.poll(assigned).toEqual([[caroId], [caroId]]);

  await shop.api.inviteAgents({ body: { agents: ["dora@acme.test"] } });
  await page.reload();
  dialog = await choose("dora@acme.test", "Revoke invitation");
  await dialog.getByRole("button", { name: "Revoke invitation" }).click();
  await page.getByText("The invitation for dora@acme.test was revoked.").waitFor();
});
