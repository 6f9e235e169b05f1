import { openBrowser } from "@frontdesk/testing/browser";
import { newProcessInstallation } from "@frontdesk/testing/installation";
import { expect, test } from "vitest";
import { createClient } from "../packages/client/src/index.ts";

test("a new operator sets up in the browser, sends a first message, and a colleague joins by link", async () => {
  const frontdesk = await newProcessInstallation("sqlite");
  const { setup_url: setupUrl } = await frontdesk.start();
  const browser = await openBrowser();
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("422")) complaints.push(message.text());
  });

  // An incomplete form names what is missing, at the field.
  await page.goto(String(setupUrl));
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button").click();
  await expect.poll(() => page.getByRole("alert").isVisible()).toBe(true);
  expect(await page.locator("#password-problem").textContent()).toContain("at least 8 characters");

  await page.locator("[name=team_name]").fill("Acme");
  await page.locator("[name=name]").fill("Ada");
  await page.locator("[name=email]").fill("ada@acme.test");
  await page.locator("[name=password]").fill("correct horse");
  await page.getByRole("button").click();
  await page.waitForSelector("pre");
  const apiKey = String(await page.locator("dd code").first().textContent());
  expect(apiKey).toMatch(/^fd_key_[0-9A-Za-z]+$/);

  // The page's example is a working command: its request is sent here unchanged.
  const example = String(await page.locator("pre").textContent());
  const [, body] = /-d '(.*)'/.exec(example) ?? [];
  const [, address] = /curl -X POST (\S+)/.exec(example) ?? [];
  const sent = await fetch(String(address), {
    method: "POST",
    headers: { "X-API-KEY": apiKey, "Content-Type": "application/json" },
    body: String(body),
  });
  expect(sent.status).toBe(200);

  // The link works once.
  const again = await page.goto(String(setupUrl));
  expect(again?.status()).toBe(403);
  complaints.length = 0;

  // Ada invites Grace, who opens the link and joins.
  const api = createClient({ baseUrl: `${frontdesk.origin}/api/v1`, apiKey, retries: 0 });
  const invited = await api.inviteAgents({ body: { agents: [{ email: "grace@acme.test", name: "Grace" }] } });
  const link = /http\S+\/join\/\S+/.exec(invited.message)?.[0];
  await page.goto(String(link));
  expect(await page.getByRole("heading").textContent()).toContain("Acme");
  await page.getByLabel("Password").fill("battery staple");
  await page.getByRole("button").click();
  await expect
    .poll(async () => (await api.listAgents()).data.map(({ attributes }) => attributes.status))
    .toEqual(["active", "active"]);
  expect((await page.goto(String(link)))?.status()).toBe(404);
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});
