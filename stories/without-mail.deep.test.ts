import { violations } from "@frontdesk/testing/accessibility";
import { dialogOf, openDashboard, pageNavigator, signIn } from "@frontdesk/testing/agent-browser";
import { enginesOf } from "@frontdesk/testing/installation";
import { openChat, openShop, visit, WITH_MAIL, write } from "@frontdesk/testing/visitor-browser";
import { expect, test } from "vitest";

const MIA = { name: "Mia", email: "mia@acme.test", password: "battery staple" };
const NEW_PASSWORD = "purple monkey";

test.each(enginesOf("sqlite"))(
  "without a mail server nothing is promised that needs one, and agents get by without it, on %s",
  async (engine) => {
    const shop = await openShop(engine);
    const { frontdesk, widgetId } = shop;
    const demo = `${frontdesk.origin}/demo/${widgetId}`;

    // No agent is online: a visitor is asked for no address that nothing is sent to.
    const vera = await visit(demo);
    const chat = await openChat(vera.page);
    await expect.poll(() => chat.locator(".greeting p").textContent()).toBe("Leave a message, and we’ll reply here.");
    expect(await chat.locator("#email").count()).toBe(0);
    await vera.page.evaluate(`Frontdesk("identify", { name: "Vera", email: "vera@acme.test" })`);
    await write(chat, "Do you ship to Portugal?");
    await expect.poll(() => chat.locator(".waiting").count()).toBe(0);
    expect(await chat.locator("#email").count()).toBe(0);

    // The settings say so where it matters. An invitation ends with the link.
    const ada = await signIn(shop, "/settings/team");
    const { page } = ada;
    const { go } = pageNavigator(page);
    const notice = page.getByRole("note", { name: "Email isn’t set up" });
    await notice.getByText("set SMTP_URL on the server").waitFor();
    const found = await violations(page, "people");
    await page.getByRole("button", { name: "Invite teammate" }).click();
    await dialogOf(page).getByText("You’ll get a link to send to them.").waitFor();
    await dialogOf(page).getByLabel("Email").fill(MIA.email);
    await dialogOf(page).getByLabel("Name").fill(MIA.name);
    await dialogOf(page).getByRole("button", { name: "Create invitation link" }).click();
    await dialogOf(page).getByText("Email isn’t set up. Copy this link and send it to Mia.").waitFor();
    found.push(...(await violations(page, "the link of an invitation")));
    const invitation = await dialogOf(page).locator("pre").innerText();
    expect(await page.evaluate("document.activeElement.closest('[role=dialog]') !== null")).toBe(true);
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Invite teammate");

    const mia = await openDashboard(shop, `/join/${invitation.split("/join/")[1]}`);
    await mia.page.fill("input[name=password]", MIA.password);
    await mia.page.keyboard.press("Enter");
    await mia.page.getByRole("listitem").filter({ hasText: "Vera" }).waitFor();

    // A forgotten password: the page asks for no e-mail, and an admin creates a link.
    const second = await openDashboard(shop, "/sign-in");
    await second.page.getByRole("link", { name: "Forgot your password?" }).click();
    await second.page.getByText("This server can’t send email. Ask an admin of your team").waitFor();
    expect(await second.page.locator("input").count()).toBe(0);
    found.push(...(await violations(second.page, "a forgotten password")));
    const row = page.getByRole("listitem").filter({ hasText: MIA.email });
    await row.getByText("Invited").waitFor({ state: "detached" });
    await row.getByRole("button").click();
    await page.getByRole("menuitem", { name: "Create reset link" }).click();
    await dialogOf(page).getByText("Nothing changes until the link is used.").waitFor();
    found.push(...(await violations(page, "the question before a reset link")));
    await dialogOf(page).getByRole("button", { name: "Create reset link" }).click();
    const shown = dialogOf(page).locator("pre");
    await expect.poll(() => shown.innerText()).toContain("/reset-password#");
    const reset = await shown.innerText();
    found.push(...(await violations(page, "a reset link")));
    await page.keyboard.press("Escape");
    // Mia works until it is used.
    await mia.page.reload();
    await mia.page.getByRole("listitem").filter({ hasText: "Vera" }).waitFor();
    await second.page.goto(reset);
    await second.page.fill("input[name=password]", NEW_PASSWORD);
    await second.page.keyboard.press("Enter");
    await second.page.getByRole("listitem").filter({ hasText: "Vera" }).waitFor();
    await mia.page.waitForURL(/\/app\/sign-in/);
    await go("/settings/audit-log");
    await page.getByText("Password reset link created for Mia").waitFor();

    // A reply to a visitor who has left waits for them, and the agent knows.
    await go("/inbox");
    await page.getByRole("listitem").filter({ hasText: "Vera" }).getByRole("link").click();
    await page.getByRole("heading", { name: "Vera" }).first().waitFor();
    const left = page.getByText("Vera has left. Email isn’t set up, so they’ll see this when they come back.");
    expect(await left.count()).toBe(0);
    await vera.page.close();
    await left.waitFor();
    found.push(...(await violations(page, "a visitor who has left")));
    await page.getByRole("tab", { name: /Note/ }).click();
    expect(await left.count()).toBe(0);
    expect(found).toEqual([]);

    const statuses = async () => [
      ...new Set((await shop.api.listAgents()).data.map(({ attributes }) => attributes.online_status)),
    ];
    // With a mail server, after a restart, all of this is over.
    await frontdesk.stop();
    Object.assign(frontdesk.env, WITH_MAIL);
    await frontdesk.start();
    await page.goto(`${frontdesk.origin}/app/settings/team`);
    await page.getByRole("button", { name: "Invite teammate" }).waitFor();
    expect(await notice.count()).toBe(0);
    await second.page.goto(`${frontdesk.origin}/app/forgot-password`);
    await second.page.locator("input[name=email]").waitFor();
    for (const agent of [ada, mia, second]) await agent.page.context().close();
    // They are away a while after their pages are closed.
    await expect.poll(statuses).toEqual(["offline"]);
    const nora = await visit(demo, { locale: "de-DE" });
    await nora.page.evaluate(`Frontdesk("set", { language: "de" })`);
    const german = await openChat(nora.page);
    await expect
      .poll(() => german.locator(".greeting p").textContent())
      .toBe("Hinterlassen Sie Ihre E-Mail-Adresse, wir melden uns.");
    expect(await german.locator("#email").count()).toBe(1);
  },
);
