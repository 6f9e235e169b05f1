import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { BEN, dialogOf, openDashboard, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";

const CLEO = { name: "Cleo", email: "cleo@acme.test", password: "purple monkey" };

/** A mail server; resolves to the newest link in a mail to `somebody`. */
async function mailServer() {
  const received: { to: string; raw: string }[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    async onData(stream, { envelope }, callback) {
      // Mails fold long lines (quoted-printable).
      const raw = (await text(stream)).replaceAll("=\r\n", "").replaceAll("=3D", "=");
      received.push({ to: String(envelope.rcptTo[0]?.address), raw });
      callback();
    },
  });
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  const { port } = listening.address() as AddressInfo;
  const linkTo = (somebody: string, of: RegExp) =>
    received
      .filter(({ to }) => to === somebody)
      .flatMap(({ raw }) => of.exec(raw)?.[0] ?? [])
      .at(-1);
  return {
    url: `smtp://127.0.0.1:${port}`,
    async link(somebody: string, of: RegExp): Promise<string> {
      await expect.poll(() => linkTo(somebody, of)).toBeDefined();
      return String(linkTo(somebody, of));
    },
  };
}

const atSignIn = (page: Page) => page.waitForURL(/\/app\/sign-in/);
const field = (page: Page) => page.locator("section textarea");

async function fillIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", password);
  await page.keyboard.press("Enter");
}

test("an agent is invited, forgets the password, is signed out elsewhere and leaves the team; no draft is lost", async () => {
  const mail = await mailServer();
  const shop = await openShop("sqlite", { SMTP_URL: mail.url });
  const { data } = await shop.api.sendVisitorMessage({
    body: { widget_id: shop.widgetId, name: "Vera", email: "vera@acme.test", content: "Hello" },
  });
  const conversation = `/inbox/${data.attributes.conversation_id}`;
  const ada = await signIn(shop, "/settings/team");

  // Ada invites Ben, and he joins by the link in the mail. Cleo gets a link from the list.
  const invite = async ({ name, email }: { name: string; email: string }) => {
    await ada.page.getByRole("button", { name: "Invite teammate" }).click();
    await dialogOf(ada.page).getByLabel("Email").fill(email);
    await dialogOf(ada.page).getByLabel("Name").fill(name);
    await ada.page.keyboard.press("Enter");
    await dialogOf(ada.page).getByText(`We’re emailing this link to ${name}.`).waitFor();
    await ada.page.keyboard.press("Escape");
    await ada.page.getByRole("listitem").filter({ hasText: email }).getByText("Invited").waitFor();
  };
  await invite(BEN);
  const ben = await openDashboard(shop, "/sign-in");
  await ben.page.goto(await mail.link(BEN.email, /http\S+\/join\/\S+/));
  await ben.page.fill("input[name=password]", BEN.password);
  await ben.page.keyboard.press("Enter");
  await ben.page.getByRole("listitem").filter({ hasText: "Vera" }).waitFor();
  await invite(CLEO);
  await ada.page.getByRole("button", { name: /Cleo/ }).click();
  await ada.page.getByRole("menuitem", { name: "Copy invitation link" }).click();
  const shown = dialogOf(ada.page).locator("pre");
  await expect.poll(() => shown.innerText()).toContain("/join/");
  const link = await shown.innerText();
  await ada.page.keyboard.press("Escape");
  const cleo = await openDashboard(shop, `/join/${link.split("/join/")[1]}`);
  await cleo.page.fill("input[name=password]", CLEO.password);
  await cleo.page.keyboard.press("Enter");
  await cleo.page.getByRole("listitem").filter({ hasText: "Vera" }).waitFor();
  await cleo.page.context().close();
  // Ada sees without a reload that both have joined.
  await expect.poll(() => ada.page.getByRole("main").getByText("Invited").count()).toBe(0);

  // A wrong password is reported, but not whether an agent has the e-mail; a forgotten one is reset by a link in a mail.
  await ben.page.goto(`${shop.frontdesk.origin}/app${conversation}?view=all`);
  await field(ben.page).fill("Half a sentence");
  const second = await openDashboard(shop, "/sign-in");
  await fillIn(second.page, { ...BEN, password: "wrong password" });
  await second.page.getByRole("alert").getByText("Wrong email or password.").waitFor();
  await second.page.getByRole("link", { name: "Forgot your password?" }).click();
  await second.page.locator("input[name=password]").waitFor({ state: "detached" });
  await second.page.fill("input[name=email]", BEN.email);
  await second.page.keyboard.press("Enter");
  await second.page.getByRole("status").waitFor();
  await second.page.goto(await mail.link(BEN.email, /http\S+#fd_reset_\w+/));
  const changed = { ...BEN, password: "another staple" };
  await second.page.fill("input[name=password]", changed.password);
  await second.page.keyboard.press("Enter");
  await second.page.getByRole("listitem").filter({ hasText: "Vera" }).waitFor();

  // His other browser is signed out at once. After signing in again he is on the same page, with his draft.
  await atSignIn(ben.page);
  await fillIn(ben.page, changed);
  await ben.page.waitForURL(`**/app${conversation}?view=all`);
  await expect.poll(() => field(ben.page).inputValue()).toBe("Half a sentence");

  // He signs the other browser out himself, in the list of his sessions.
  await ben.page.goto(`${shop.frontdesk.origin}/app/settings/profile`);
  await ben.page.getByText("This browser").waitFor();
  await ben.page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await atSignIn(second.page);

  // A deactivated agent is signed out, and cannot sign in again.
  await ada.page.getByRole("button", { name: /Ben/ }).click();
  await ada.page.getByRole("menuitem", { name: "Deactivate" }).click();
  await ada.page.getByRole("dialog", { name: "Deactivate Ben?" }).getByRole("button", { name: "Deactivate" }).click();
  await atSignIn(ben.page);
  await fillIn(ben.page, changed);
  await ben.page.getByRole("alert").getByText("Wrong email or password.").waitFor();

  // Repeated failures are rate limited.
  const tooMany = ben.page.getByRole("alert").getByText("Too many attempts.");
  await expect
    .poll(async () => {
      await fillIn(ben.page, { email: "ada@acme.test", password: "a guess, and another" });
      await expect.poll(() => ben.page.getByRole("button", { name: "Sign in" }).isEnabled()).toBe(true);
      return tooMany.count();
    })
    .toBe(1);
  expect([...ada.complaints]).toEqual([]);
  expect(ada.page.url()).toContain("/settings/team");
});

test("a refusal is in the agent's language, also when its texts are loaded late", async () => {
  const shop = await openShop("sqlite");
  const { page } = await openDashboard(shop, "/sign-in", { locale: "de-DE" });
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route(/\/reason-texts-/, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  await page.reload();
  const refused = page.waitForResponse((response) => response.status() === 401);
  await fillIn(page, { ...BEN, password: "wrong password" });
  await Promise.all([refused, asked.promise]);
  expect(await page.getByRole("alert").allInnerTexts()).toEqual([]);
  held.resolve();
  await page.getByRole("alert").getByText("E-Mail oder Passwort ist falsch.").waitFor();
});
