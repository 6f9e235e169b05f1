/** The built-in AI as a visitor meets it in the widget. */
import { looksOf, violations } from "@frontdesk/testing/accessibility";
import { aiOf } from "@frontdesk/testing/held-by-ai";
import {
  conversationId,
  openChat,
  openShop,
  type Shop,
  visit,
  WITH_MAIL,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Frame } from "playwright-core";
import { expect, test } from "vitest";

const looks = looksOf({ width: 375, height: 700 });
const HELLO = "You’re chatting with Robin, an AI assistant. It can make mistakes.";
const SOURCES = [
  { title: "How do returns work?", url: "https://acme.test/returns" },
  { title: "Our promise", url: null },
];

const demo = ({ frontdesk, widgetId }: Shop) => `${frontdesk.origin}/demo/${widgetId}`;
const aiWithModel = (shop: Shop) => aiOf(shop.frontdesk.running().app, shop, { hasModel: true });
const announced = (frame: Frame) => frame.locator("[aria-live=polite]").textContent();

/** Vera has asked, and the AI answers from here on. */
async function veraAsks(shop: Shop, options: Parameters<typeof visit>[1] = {}) {
  const visited = await visit(demo(shop), options);
  if (options.locale === "ar") await visited.page.evaluate("Frontdesk('set', { language: 'ar' })");
  const frame = await openChat(visited.page);
  await write(frame, "How long do returns take?");
  const conversation = await conversationId(shop);
  const ai = await aiWithModel(shop);
  await ai.holds(conversation);
  return { ...visited, frame, conversation, ai };
}

test("before the first word a visitor reads and hears that an AI answers, in their language", async () => {
  const shop = await openShop();
  await aiWithModel(shop);
  const { page, complaints } = await visit(demo(shop));
  const frame = await openChat(page);
  await frame.getByText(HELLO).first().waitFor();
  // No one of the team is there, and an answer comes all the same.
  await frame.getByText("Ask us anything.").waitFor();
  await expect.poll(() => announced(frame)).toBe(HELLO);
  const { page: german } = await visit(demo(shop));
  await german.evaluate("Frontdesk('set', { language: 'de' })");
  await (await openChat(german)).getByText("Sie chatten mit Robin, einem KI-Assistenten.").first().waitFor();
  expect(complaints).toEqual([]);
});

test("an answer has the AI's name, sign and label, and its sources; a reload shows the same", async () => {
  const shop = await openShop();
  const { page, frame, conversation, ai, complaints } = await veraAsks(shop);
  await ai.says(conversation, { content: "Five days.", sources: SOURCES });
  const shown = async (place: Frame) => {
    await place.getByRole("list", { name: "Sources" }).waitFor();
    return {
      who: await place.locator(".message:not(.own) > p").first().innerText(),
      signs: await place.locator(".message:not(.own) .face svg").count(),
      letters: await place.locator(".message:not(.own) .face").innerText(),
      hello: await place.locator(".hello").innerText(),
      sources: await place.getByRole("list", { name: "Sources" }).getByRole("listitem").allInnerTexts(),
    };
  };
  const titles = SOURCES.map(({ title }) => title);
  const expected = { who: "Robin AI", signs: 1, letters: "", hello: HELLO, sources: titles };
  expect(await shown(frame)).toEqual(expected);
  expect(await announced(frame)).toContain("Robin (AI): Five days.");
  // Also for eyes: a title alone could be anything.
  const label = `getComputedStyle(document.querySelector(".sources"), "::before").content`;
  expect(await frame.evaluate(label)).toContain('"Sources"');
  const link = frame.getByRole("link", { name: "How do returns work?" });
  expect(await link.getAttribute("href")).toBe("https://acme.test/returns");
  expect(await link.getAttribute("target")).toBe("_blank");
  expect(await link.getAttribute("rel")).toContain("noreferrer");
  await page.reload();
  expect(await shown(await openChat(page))).toEqual(expected);
  expect(complaints).toEqual([]);
});

test("a source that is an article is read in the chat, and the way back leads to where the visitor was", async () => {
  const shop = await openShop();
  await shop.api.updateWidget({ params: { widget: shop.widgetId }, body: { settings: { suggest_articles: true } } });
  const { data } = await shop.api.createArticle({
    body: { question: "How do returns work?", answer: "Pack it and send it.", is_published: true },
  });
  const { frame, conversation, ai } = await veraAsks(shop);
  const gone = { title: "Gone", url: "https://acme.test/gone", article_id: "0193e0a0-0000-7000-8000-000000000000" };
  await ai.says(conversation, {
    content: "Five days.",
    sources: [{ title: "How do returns work?", url: null, article_id: String(data.id) }, gone],
  });
  const source = frame.getByRole("button", { name: "How do returns work?" });
  await source.click();
  await frame.locator(".article").getByText("Pack it and send it.").waitFor();
  expect(await frame.locator(".message").first().isVisible()).toBe(false);
  // On this screen, too.
  expect(await frame.getByRole("button", { name: "Talk to a person" }).isVisible()).toBe(true);
  await frame.getByRole("button", { name: "Back to the chat" }).click();
  await expect.poll(() => frame.evaluate("document.activeElement.textContent")).toBe("How do returns work?");
  expect(await frame.getByText("Five days.").first().isVisible()).toBe(true);
  // One that is not there any more is its address.
  await frame.getByRole("button", { name: "Gone" }).click();
  await frame.getByRole("link", { name: "Gone" }).waitFor();
});

test.each(looks)("nothing of the AI keeps people out: $name", async ({ options, also }) => {
  const shop = await openShop();
  const { frame, conversation, ai } = await veraAsks(shop, { ...options, reducedMotion: "reduce" });
  await ai.says(conversation, { content: "Five days.", sources: SOURCES });
  await frame.locator(".sources").waitFor();
  const found = await violations(frame, "an answer", also);
  await ai.lets(conversation, "waiting");
  await expect.poll(() => frame.locator(".person button").count()).toBe(0);
  await frame.locator(".person").waitFor();
  found.push(...(await violations(frame, "handed over", also)));
  expect(found).toEqual([]);
});

test("by the keyboard alone a visitor gets from the AI to a person, reads and hears what comes next, and may leave an e-mail", async () => {
  const shop = await openShop("sqlite", WITH_MAIL);
  const visited = await veraAsks(shop);
  const { frame, conversation, ai, page } = visited;
  await ai.says(conversation, { content: "Five days.", sources: SOURCES });
  const person = frame.getByRole("button", { name: "Talk to a person" });
  await person.waitFor();
  expect(await frame.locator("#email").count()).toBe(0);
  await frame.focus("textarea");
  for (let steps = 0; steps < 5 && !(await isFocused(frame)); steps += 1) await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await frame.getByText("A person will take over from here.").first().waitFor();
  // The words of the AI itself may come first or last.
  await expect
    .poll(() => announced(frame))
    .toMatch(/A person will take over from here\.|I’ve passed this on to our team/);
  expect(await person.count()).toBe(0);
  expect(await frame.locator(".helped").count()).toBe(0);
  // Nobody is online, so an address is asked for: she has left it out before, but it is another question now.
  await frame.fill("#email", "vera@acme.test");
  await frame.press("#email", "Enter");
  await expect.poll(() => frame.locator("#email").count()).toBe(0);
  await ai.lets(conversation, "human");
  await expect.poll(() => frame.locator(".person").count()).toBe(0);
});

const isFocused = (frame: Frame) => frame.evaluate("document.activeElement.textContent === 'Talk to a person'");

test("while the service doesn't answer, the way to a person stays, and says that it has failed", async () => {
  const shop = await openShop();
  const { frame, conversation, ai, page } = await veraAsks(shop);
  await ai.says(conversation, { content: "Five days.", sources: SOURCES });
  await page.route("**/visitor/*/handoff", (route) => route.abort());
  await frame.getByRole("button", { name: "Talk to a person" }).click();
  await frame.getByRole("alert").getByText("Couldn’t be sent.").waitFor();
  expect(await frame.getByRole("button", { name: "Talk to a person" }).isVisible()).toBe(true);
});

test("that an answer helped can be said of the newest alone; then the visitor is asked for a rating", async () => {
  const shop = await openShop();
  const visited = await veraAsks(shop);
  const { frame, conversation, ai } = visited;
  await ai.says(conversation, { content: "Five days.", sources: SOURCES });
  await ai.says(conversation, { content: "And four from Spain.", sources: SOURCES });
  await expect.poll(() => frame.locator(".sources").count()).toBe(2);
  const helped = frame.getByRole("button", { name: "That helped" });
  expect(await helped.count()).toBe(1);
  await helped.click();
  await frame.getByText("How did we do?").first().waitFor();
  expect(await helped.count()).toBe(0);
  expect(await frame.locator(".person").count()).toBe(0);
});

test("whatever the AI writes is text: no element, no picture, no request and no script comes of it", async () => {
  const shop = await openShop();
  const { frame, conversation, ai, requests, complaints, page } = await veraAsks(shop);
  await ai.says(conversation, { content: "Five days." });
  await frame.locator(".hello").waitFor();
  const payloads = hostileTexts();
  expect(payloads.length).toBeGreaterThanOrEqual(300);
  const asked = requests.length;
  // Many in a message: each is on a line of its own.
  for (let from = 0; from < payloads.length; from += 50) {
    const some = payloads.slice(from, from + 50);
    await ai.says(conversation, {
      content: some.join("\n"),
      sources: some.slice(0, 10).map((text) => ({ title: text, url: text })),
    });
    await frame
      .getByText(some.at(-1) as string)
      .first()
      .waitFor();
  }
  const bad = (await frame.evaluate(WHAT_CAME_OF_IT)) as Record<"elements" | "links" | "handlers", string[]>;
  expect(bad.elements).toEqual([]);
  expect(bad.handlers).toEqual([]);
  expect(bad.links.filter((protocol) => !/^(https?|mailto):$/.test(protocol))).toEqual([]);
  expect(await page.evaluate("window.pwned")).toBeUndefined();
  expect(await frame.evaluate("window.pwned")).toBeUndefined();
  const others = requests.slice(asked).filter((url) => !url.startsWith(shop.frontdesk.origin));
  expect(others).toEqual([]);
  expect(complaints).toEqual([]);
});

/** In the frame: elements that only markup could have made, the schemes of links, and handlers in markup. */
const WHAT_CAME_OF_IT = `({
  elements: [...document.querySelectorAll(".message :is(img, script, iframe, object, embed, form, style, video, b)")]
    .filter((each) => !each.matches(".ai"))
    .map((each) => each.outerHTML),
  links: [...document.querySelectorAll(".message a")].map(({ protocol }) => protocol),
  handlers: [...document.querySelectorAll(".message *")].flatMap((each) =>
    each.getAttributeNames().filter((name) => name.startsWith("on")),
  ),
})`;

/** Texts by which a model, or who writes to it, may try to get out of its bubble: some 20 of markup, in each of 15 wraps. */
function hostileTexts(): string[] {
  const run = "window.pwned=1";
  const cores = [
    `<script>${run}</script>`,
    `<img src=x onerror="${run}">`,
    "<img src='https://evil.test/pixel.png'>",
    "![](https://evil.test/pixel.png)",
    `[Click](javascript:${run})`,
    `javascript:${run}`,
    `data:text/html,<script>${run}</script>`,
    `<svg onload="${run}"><animate onbegin="${run}" attributeName=x></svg>`,
    "<iframe src='https://evil.test/'></iframe>",
    `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
    "<link rel=stylesheet href='https://evil.test/a.css'>",
    "<style>@import 'https://evil.test/a.css';</style>",
    `<a href="javascript:${run}">x</a>`,
    `<details open ontoggle="${run}">`,
    `<math><mi xlink:href="javascript:${run}">`,
    "<meta http-equiv=refresh content='0;url=https://evil.test/'>",
    `<input autofocus onfocus="${run}">`,
    "<video poster='https://evil.test/p.png'></video>",
    `vbscript:${run}`,
    "<base href='https://evil.test/'><form action='/x'><button>Send</button></form>",
  ];
  const wraps: ((text: string) => string)[] = [
    (text) => text,
    (text) => `"> ${text}`,
    (text) => `'>${text}`,
    (text) => `</p></div>${text}`,
    (text) => `\`\`\`html ${text} \`\`\``,
    (text) => `<!-- --> ${text} <!--`,
    (text) => `]]>${text}`,
    (text) => `**${text}**`,
    (text) => `[${text}](https://acme.test)`,
    (text) => `https://acme.test/"${text}`,
    (text) => `https://acme.test/?q=${text}`,
    (text) => `${text}\u202e`,
    (text) => text.toUpperCase(),
    (text) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    (text) => `</textarea></title>${text}`,
  ];
  return cores.flatMap((core) => wraps.map((wrap) => wrap(core)));
}
