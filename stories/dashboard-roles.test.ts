/** What each role sees: every URL of the dashboard, read from the route table, so that new ones are included. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ADA, joins, type Person, pageNavigator, signIn } from "@frontdesk/testing/agent-browser";
import { deep, inDepth } from "@frontdesk/testing/depth";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentRole, agentRoles } from "../packages/core/src/domain/agent.ts";
import { type OperationName, roleMay } from "../packages/core/src/domain/policy.ts";
import { root } from "./house/source-files.ts";

const shop = await openShop("sqlite", {}, afterAll);
const source = (path: string) => readFileSync(join(root, "packages/dashboard/src", path), "utf8");

interface Route {
  name: string;
  parent: string;
  path: string;
}

/** The route table of the dashboard. */
const routes: Route[] = [
  ...source("routes.tsx").matchAll(
    /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*(?:path: "([^"]*)"|id: )/g,
  ),
].map(([, name = "", parent = "", path = ""]) => ({ name, parent, path }));

/** The parts of the settings: names, required operations, and whether their items have URLs. */
const parts = source("settings/parts.ts")
  .split(/\bname: /)
  .slice(2)
  .map((text) => ({
    name: String(/^"([^"]+)"/.exec(text)?.[1]),
    needs: /needs: "([^"]+)"/.exec(text)?.[1] as OperationName | undefined,
    hasItems: /\bItem: /.test(text),
  }));

/** From the root route to this one. */
function wayTo({ name, parent, path }: Route): { address: string; behindSignIn: boolean } {
  const above = routes.find((route) => route.name === parent);
  const way = above ? wayTo(above) : { address: "", behindSignIn: false };
  const address = `${way.address.replace(/\/$/, "")}${path}`;
  return { address, behindSignIn: way.behindSignIn || name === "signedIn" };
}

/** Outside of the settings. */
const needs: Record<string, OperationName> = { "/start": "update-widget" };

/** An existing item for each parameter. */
const things: Record<string, string> = {};
const items: Record<string, string> = {};

beforeAll(async () => {
  const { data } = await shop.api.sendVisitorMessage({
    body: { widget_id: shop.widgetId, name: "Vera", email: "vera@acme.test", content: "Hello" },
  });
  const article = await shop.api.createArticle({
    body: { question: "Do you ship?", answer: "We do.", is_published: true },
  });
  const webhook = await shop.api.createWebhook({
    body: { endpoint_url: "https://acme.test/hook", events: ["message.received"] },
  });
  const assistant = await shop.api.createAssistant({
    body: { name: "Bot", permissions: ["read_conversations"], widgets: "all" },
  });
  const mailbox = await shop.api.createChannel({
    body: {
      ...{ channel: "email", widget_id: shop.widgetId },
      settings: { address: "support@acme.test", inbound: { kind: "http" } },
    },
  });
  Object.assign(things, {
    $conversationId: data.attributes.conversation_id,
    $contactId: data.attributes.chat_contact_id,
    $articleId: article.data.id,
  });
  Object.assign(items, {
    ...{ webhooks: webhook.data.id, assistants: assistant.data.id, widgets: shop.widgetId },
    channels: mailbox.data.id,
  });
});

/** Every URL behind the sign-in, and the operation required to see anything there. */
function addresses(): { address: string; needs: OperationName | undefined }[] {
  const known = routes.map(wayTo).filter(({ address, behindSignIn }) => behindSignIn && address !== "");
  const distinct = [...new Set(known.map(({ address }) => address.replace(/(.)\/$/, "$1")))];
  return distinct.flatMap((address) => {
    if (address === "/settings/$part")
      return parts.map((part) => ({ address: `/settings/${part.name}`, needs: part.needs }));
    if (address === "/settings/$part/$item") {
      return parts
        .filter(({ hasItems }) => hasItems)
        .map((part) => ({ address: `/settings/${part.name}/${thing(items, part.name)}`, needs: part.needs }));
    }
    return [{ address: address.replaceAll(/\$\w+/g, (place) => thing(things, place)), needs: needs[address] }];
  });
}

function thing(of: Record<string, string>, name: string): string {
  const value = of[name];
  if (!value) throw new Error(`There is a new address: please say here what stands for ${name}.`);
  return value;
}

const people: Record<AgentRole, Person> = {
  CHAT_AGENT_OWNER: ADA,
  CHAT_AGENT_ADMIN: { name: "Abe", email: "abe@acme.test", password: "an admin's word" },
  CHAT_AGENT_MEMBER: { name: "Mia", email: "mia@acme.test", password: "a member's word" },
};
const NOTHING_THERE = /Ask an admin|Page not found|Couldn’t load this/;

test("all of the routes and of the settings' parts were found", () => {
  expect(routes).toHaveLength(source("routes.tsx").split("= createRoute(").length - 1);
  expect(parts).toHaveLength(source("settings/parts.ts").split(/\bScreen: lazy/).length - 1);
  expect(addresses().length).toBeGreaterThan(parts.length + 5);
});

// An admin sees no more than an owner, and no less than a member.
test.each(agentRoles.filter((role) => deep || role !== "CHAT_AGENT_ADMIN"))(
  "%s sees all screens that the role may, no other, and none asks for what is refused",
  async (role) => {
    if (role !== "CHAT_AGENT_OWNER") await joins(shop, people[role], role);
    const { page, complaints } = await signIn(shop, "/inbox", {}, people[role]);
    const { go, refused } = pageNavigator(page);
    const wrong: string[] = [];
    for (const { address, needs } of addresses()) {
      await go(address);
      const main = page.locator("main").last();
      const maySee = !needs || roleMay(role, needs);
      if (!maySee && address === "/start") {
        await expect.poll(() => page.url()).toMatch(/\/app\/inbox$/);
        continue;
      }
      await expect.poll(() => main.locator("h1, h2").count(), { message: address }).toBeGreaterThan(0);
      const isThere = !NOTHING_THERE.test(await main.innerText());
      if (isThere !== maySee) wrong.push(`${address}: ${isThere ? "is there" : "is not there"}`);
      const alerts = await main.getByRole("alert").allInnerTexts();
      if (alerts.some(Boolean)) wrong.push(`${address}: ${alerts}`);
    }
    // The link to it is shown to agents who may open it.
    await go("/settings/profile");
    const ways = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    const offered = await ways.evaluateAll((links) =>
      links.map((link) => link.getAttribute("href")?.split("/").at(-1)),
    );
    expect(wrong).toEqual([]);
    expect(refused).toEqual([]);
    expect(offered).toEqual(parts.filter((part) => !part.needs || roleMay(role, part.needs)).map(({ name }) => name));
    expect(complaints).toEqual([]);
  },
);

test("a deactivated agent sees the sign-in, whatever the address", async () => {
  const dora = { name: "Dora", email: "dora@acme.test", password: "was a member" };
  const id = await joins(shop, dora);
  const { page } = await signIn(shop, "/inbox", {}, dora);
  const ada = await signIn(shop);
  await ada.page.evaluate(
    `fetch("/app/api/agents/${id}/deactivate", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" })`,
  );
  await page.waitForURL(/\/app\/sign-in/);
  const { go } = pageNavigator(page);
  // All are below one route; each of them is tried in `npm run test:deep`.
  const all = addresses().map(({ address }) => address);
  for (const address of inDepth(["/inbox", `/contacts/${things.$contactId}`, "/start", "/settings/team"], all)) {
    expect(all).toContain(address);
    await go(address);
    await expect.poll(() => page.url(), { message: address }).toContain("/app/sign-in");
    expect(await page.locator("input[name=email]").count(), address).toBe(1);
  }
});
