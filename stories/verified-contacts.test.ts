import { looksOf, violations } from "@frontdesk/testing/accessibility";
import { pageNavigator, signIn } from "@frontdesk/testing/agent-browser";
import { enginesOf } from "@frontdesk/testing/installation";
import { signedToken } from "@frontdesk/testing/signed-identity";
import { openChat, openShop, type Shop, siteWith, tag, visit, write } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

const VERIFIED = "Verified by your site";
const SAID = "Said by the visitor, not verified";
const EMAIL = "vera@acme.test";

/** A page of the owner's site that says this of its visitor. */
function siteOf(shop: Shop, ...calls: [string, object][]): Promise<string> {
  const said = calls.map(([name, value]) => `Frontdesk(${JSON.stringify(name)}, ${JSON.stringify(value)});`).join("");
  const early = `<script>window.Frontdesk ||= function () { (Frontdesk.q ||= []).push(arguments) }; ${said}</script>`;
  return siteWith(
    `<!doctype html><html lang="en"><head><title>Shop</title>${early}</head><body>${tag(shop)}</body></html>`,
  );
}

/** A visitor comes to the site and writes. */
async function writes(site: string, text: string): Promise<Page> {
  const { page } = await visit(site);
  const frame = await openChat(page);
  await write(frame, text);
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  return page;
}

/** What is read of a part of the screen: its text, and the names of its images. */
async function read(page: Page, selector: string): Promise<string> {
  const part = page.locator(selector).first();
  const names = await part
    .locator("[role=img]")
    .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
  return [await part.innerText(), ...names].join("\n");
}

test.each(enginesOf("sqlite"))(
  "a visitor who types a verified person's e-mail is told from them at once, on %s",
  async (engine) => {
    const shop = await openShop(engine);
    const secret = String(
      (await shop.frontdesk.command("widget", "identity", "--widget", shop.widgetId)).identity_secret,
    );
    await shop.frontdesk.command("widget", "update", shop.widgetId, "--page-fields", "plan");
    const exp = Math.floor(Date.now() / 1_000) + 3_600;
    const token = signedToken(secret, { sub: "7", name: "Vera Costa", email: EMAIL, exp, data: { plan: "Business" } });
    await writes(await siteOf(shop, ["identify", { token }]), "I am the real one");
    const forged = await siteOf(
      shop,
      ["identify", { name: "Vera C.", email: EMAIL }],
      ["set", { data: { plan: "Business" } }],
    );
    const mallory = await writes(forged, "Change my address");

    const { page, complaints } = await signIn(shop);
    const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
    await row("Vera Costa").getByRole("img", { name: VERIFIED }).waitFor();
    await row("Vera C.").waitFor();
    expect(await row("Vera C.").getByRole("img", { name: VERIFIED }).count()).toBe(0);

    const header = "section > header";
    const details = "aside[aria-label=Details]";
    await row("Vera Costa").getByRole("link").click();
    await expect.poll(() => read(page, header)).toContain(VERIFIED);
    await expect.poll(() => read(page, details)).toMatch(new RegExp(`${EMAIL}\\s+${VERIFIED}`));
    expect(await read(page, details)).not.toContain("ot verified");
    const found = await violations(page, "a verified visitor");

    await row("Vera C.").getByRole("link").click();
    await expect.poll(() => read(page, header)).toContain("Not verified");
    await expect.poll(() => read(page, details)).toMatch(new RegExp(`${EMAIL}\\s+${SAID}`));
    expect(await page.locator(details).getByRole("img", { name: SAID }).count()).toBe(1);
    expect(`${await read(page, header)} ${await read(page, details)}`).not.toContain(VERIFIED);
    found.push(
      ...(await violations(page, "a visitor who is not verified", looksOf({ width: 360, height: 740 })[0]?.also)),
    );

    // The page of the contact, and the list.
    await page.locator(details).getByRole("link", { name: "Open contact" }).click();
    const panel = "aside[aria-label^=Vera]";
    await expect.poll(() => read(page, panel)).toContain(SAID);
    expect(await read(page, panel)).not.toContain(VERIFIED);
    await expect.poll(() => page.getByLabel("Email").getAttribute("aria-describedby")).toBeTruthy();
    const contact = (name: string) =>
      page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
    expect(await contact("Vera C.").getByRole("img", { name: VERIFIED }).count()).toBe(0);
    await expect.poll(() => contact("Vera Costa").getByRole("img", { name: VERIFIED }).count()).toBe(2);
    found.push(...(await violations(page, "contacts")));
    await contact("Vera Costa").getByRole("link").click();
    await expect.poll(() => read(page, panel)).toContain(VERIFIED);
    expect(await read(page, panel)).not.toContain(SAID);

    // What an agent corrects is no longer the visitor's word.
    await contact("Vera C.").getByRole("link").click();
    await expect.poll(() => read(page, panel)).toContain(SAID);
    await page.getByLabel("Email").fill("mallory@acme.test");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect.poll(() => page.locator(panel).getByText(SAID).count()).toBe(0);

    // A visitor who signs in on the site is verified while the agent looks.
    await pageNavigator(page).go("/inbox");
    await row("Vera C.").waitFor();
    const own = signedToken(secret, { sub: "8", exp, email: "mallory@acme.test" });
    await mallory.evaluate(`Frontdesk("identify", ${JSON.stringify({ token: own })})`);
    await row("Vera C.").getByRole("img", { name: VERIFIED }).waitFor();
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  },
);
