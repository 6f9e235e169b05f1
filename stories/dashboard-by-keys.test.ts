/** A shift at the inbox without a mouse: twenty-two tasks of agents, each with only the keyboard. */

import { BEN, joins, openDashboard } from "@frontdesk/testing/agent-browser";
import { openShop, type Shop } from "@frontdesk/testing/visitor-browser";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";

const VISITORS = ["Vera", "Hugo", "Mia", "Noor", "Otto"];
/** The most tab stops of a screen before the searched element. */
const MOST_TABS = 80;

/** The latest writer is first in the list. */
async function visitorsWrite({ api, widgetId }: Shop): Promise<void> {
  for (const name of VISITORS.toReversed()) {
    const email = `${name.toLowerCase()}@visitor.test`;
    await api.sendVisitorMessage({ body: { widget_id: widgetId, name, email, content: `Hello from ${name}` } });
  }
  await api.createArticle({ body: { question: "Do you ship?", answer: "We do.", is_published: true } });
}

test("an agent works by the keyboard alone", async () => {
  const shop = await openShop();
  await visitorsWrite(shop);
  await joins(shop, BEN);
  const { page } = await openDashboard(shop, "/inbox", { colorScheme: "light" });
  await page.evaluate(
    `for (const type of ["pointerdown", "mousedown"]) addEventListener(type, () => { window.pressed = true; }, true)`,
  );
  const { keyboard } = page;
  const press = async (...keys: string[]) => {
    for (const key of keys) await keyboard.press(key);
  };
  const row = (name: string) => page.locator("[role=listitem]", { hasText: name });
  const thread = page.locator("section [data-index]");
  const field = page.locator("section textarea");

  const tasks: [string, () => Promise<void>][] = [
    [
      "sign in",
      async () => {
        await page.waitForSelector("input[name=email]");
        await keyboard.type("ada@acme.test");
        await press("Tab");
        await keyboard.type("correct horse");
        await press("Enter");
        await row("Vera").waitFor();
      },
    ],
    [
      "open a conversation",
      async () => {
        await press("j");
        await thread.filter({ hasText: "Hello from Vera" }).waitFor();
      },
    ],
    [
      "reply",
      async () => {
        await press("r");
        await keyboard.type("Hi Vera");
        await press("Enter");
        await thread.filter({ hasText: "Hi Vera" }).waitFor();
      },
    ],
    [
      "leave a note in which a teammate is mentioned",
      async () => {
        await press("Escape", "n");
        await keyboard.type("@Be");
        await page.getByRole("listbox").waitFor();
        await press("Tab");
        await keyboard.type("can you look?");
        await press("Enter");
        await page.locator("article", { hasText: "@Ben can you look?" }).waitFor();
        await press("Escape");
      },
    ],
    [
      "put a teammate in charge",
      async () => {
        // Her reply has assigned Ada.
        await head().filter({ hasText: "Ada" }).waitFor();
        await choose("a", "ben");
        await head().filter({ hasText: "+1" }).waitFor();
        await choose("a", "ada");
        await head().filter({ hasText: "Ben" }).filter({ hasNotText: "+1" }).waitFor();
      },
    ],
    [
      "take it over oneself",
      async () => {
        await press("i");
        await head()
          .filter({ hasText: "Ada" })
          .or(head().filter({ hasText: "+1" }))
          .first()
          .waitFor();
      },
    ],
    [
      "tag",
      async () => {
        await choose("t", "vip", { stays: true });
        await row("Vera").filter({ hasText: "vip" }).waitFor();
      },
    ],
    [
      "snooze",
      async () => {
        await choose("z", "tomorrow");
        await row("Vera").waitFor({ state: "detached" });
      },
    ],
    [
      "take back what was done last",
      async () => {
        await press("Control+z");
        await row("Vera").waitFor();
      },
    ],
    [
      "mark as unread",
      async () => {
        await press("g", "i");
        await openByList("Vera");
        await press("u");
        await row("Vera").filter({ hasText: "unread" }).waitFor();
      },
    ],
    [
      "resolve and go on to the next",
      async () => {
        await openByList("Vera");
        const before = page.url();
        await press("Shift+E");
        await row("Vera").waitFor({ state: "detached" });
        await expect.poll(() => page.url()).not.toBe(before);
        await thread.first().waitFor();
      },
    ],
    [
      "find somebody and open their conversation",
      async () => {
        await press("/");
        await page.getByRole("combobox").waitFor();
        await keyboard.type("mia");
        await page.getByRole("option", { name: /Mia/ }).first().waitFor();
        await press("Enter");
        await thread.filter({ hasText: "Hello from Mia" }).waitFor();
      },
    ],
    [
      "go to the settings by the palette",
      async () => {
        await choose("Control+k", "settings");
        await page.waitForURL(/settings\/profile/);
      },
    ],
    [
      "make a canned reply",
      async () => {
        await tabTo(page.getByRole("link", { name: "Canned replies" }));
        await press("Enter");
        await page.waitForURL(/canned-replies/);
        await tabTo(page.getByRole("button", { name: "Add canned reply" }));
        await press("Enter");
        await page.locator("[role=dialog] input[name=name]").waitFor();
        await keyboard.type("ship");
        await press("Tab");
        await keyboard.type("We ship in three days.");
        await tabTo(page.locator("[role=dialog] button[type=submit]"));
        await press("Enter");
        await page.getByText("/ship").waitFor();
      },
    ],
    [
      "use it",
      async () => {
        await press("g", "i");
        await openByList("Hugo");
        await press("r");
        await keyboard.type("/ship");
        await page.getByRole("listbox").waitFor();
        await press("Tab");
        await expect.poll(() => field.inputValue()).toBe("We ship in three days.");
        await press("Enter");
        await thread.filter({ hasText: "We ship in three days." }).waitFor();
        await press("Escape");
      },
    ],
    [
      "narrow the list and keep it as a view",
      async () => {
        await tabTo(page.getByRole("button", { name: "Filter", exact: true }));
        await press("Enter");
        await tabTo(page.getByRole("switch", { name: /unread/i }));
        await press("Space");
        await page.waitForURL(/unread/);
        await tabTo(page.getByRole("button", { name: "Save as view" }));
        await press("Enter");
        await page.locator("input[name=name]").waitFor();
        await keyboard.type("To read");
        await press("Enter");
        await page.getByRole("navigation").getByRole("link", { name: "To read" }).waitFor();
        await page.locator("input[name=name]").waitFor({ state: "detached" });
        await press("Escape");
      },
    ],
    [
      "choose several and resolve them",
      async () => {
        // A closing layer handles keys until it is gone.
        await expect
          .poll(async () => {
            await press("g", "i");
            return page.url();
          })
          .not.toMatch(/unread/);
        await openByList("Noor");
        await press("x");
        await openByList("Otto");
        await press("x");
        await page.getByRole("toolbar").waitFor();
        await press("e");
        await row("Noor").waitFor({ state: "detached" });
        await row("Otto").waitFor({ state: "detached" });
      },
    ],
    [
      "block somebody",
      async () => {
        await openByList("Hugo");
        await tabTo(page.getByRole("button", { name: "More", exact: true }));
        await press("Enter");
        await menuHasKeys();
        // Above deleting, which is last.
        await press("End", "ArrowUp", "Enter");
        await expect.poll(() => field.isDisabled()).toBe(true);
        // While it closes, it still handles keys.
        await page.getByRole("menu").waitFor({ state: "detached" });
      },
    ],
    [
      "correct an article",
      async () => {
        await press("g", "k");
        await tabTo(page.getByRole("link", { name: /Do you ship/ }));
        await press("Enter");
        await tabTo(page.locator("main form textarea"));
        await press("Control+End");
        await keyboard.type(" Worldwide.");
        await tabTo(page.getByRole("button", { name: "Save", exact: true }), "Shift+Tab");
        await press("Enter");
        const answer = async () => (await shop.api.listArticles()).data[0]?.attributes.answer;
        await expect.poll(answer).toBe("We do. Worldwide.");
      },
    ],
    [
      "find a person among the contacts",
      async () => {
        await press("Escape", "g", "c");
        await tabTo(page.getByLabel("Search contacts"));
        await keyboard.type("noor");
        await page.waitForURL(/q=noor/);
        await expect.poll(() => page.locator("main tbody tr").count()).toBe(1);
        await tabTo(page.locator("main").getByRole("link", { name: /Noor/ }));
        await press("Enter");
        await page.getByRole("heading", { name: "Noor" }).first().waitFor();
      },
    ],
    [
      "change how it looks",
      async () => {
        await choose("Control+k", "dark");
        await expect.poll(() => page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
      },
    ],
    [
      "sign out",
      async () => {
        await tabTo(page.getByRole("button", { name: /Ada/ }));
        await press("Enter");
        await menuHasKeys();
        await press("End", "Enter");
        await page.waitForURL(/sign-in/);
      },
    ],
  ];
  for (const [task, act] of tasks) {
    await act().catch((error) => {
      throw new Error(`Could not ${task} by keys: ${error}`, { cause: error });
    });
  }
  expect(tasks.length).toBeGreaterThanOrEqual(20);
  expect(await page.evaluate("window.pressed ?? false")).toBe(false);

  function head(): Locator {
    return page.locator("section > header, section header").first();
  }

  /** A menu is rendered slightly before it handles keys. */
  function menuHasKeys(): Promise<void> {
    return page.locator("[role=menu]:focus, [role=menu] :focus").first().waitFor();
  }

  /** Picks from a list that a key opens: the first match. One that `stays` open for more is closed. */
  async function choose(key: string, text: string, { stays = false } = {}): Promise<void> {
    // Not the selects of the screen.
    const field = page.locator("input[role=combobox]");
    await press(key);
    await field.waitFor();
    await keyboard.type(text);
    await page.locator("[role=option]").first().waitFor();
    await press("Enter");
    if (stays) {
      await expect.poll(() => field.inputValue()).toBe("");
      await press("Escape");
    }
    await field.waitFor({ state: "detached" });
  }

  /** Moves in the list until the conversation is open. */
  async function openByList(name: string): Promise<void> {
    await row(name).waitFor();
    for (let steps = 0; steps <= VISITORS.length; steps += 1) {
      const { open, wanted } = await places(name);
      if (open === wanted) break;
      await press(open < wanted ? "j" : "k");
      await expect.poll(async () => (await places(name)).open).not.toBe(open);
    }
    await thread.filter({ hasText: `Hello from ${name}` }).waitFor();
  }

  /** The list index of the open conversation, and of the searched one; -1 when missing. */
  function places(name: string): Promise<{ open: number; wanted: number }> {
    return page.evaluate(`(() => {
      const rows = [...document.querySelectorAll("[role=listitem]")];
      return {
        open: rows.findIndex((row) => row.querySelector("a[aria-current]")),
        wanted: rows.findIndex((row) => row.textContent.includes(${JSON.stringify(name)})),
      };
    })()`);
  }

  async function tabTo(what: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    await what.waitFor();
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (await what.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await press(key);
    }
    throw new Error(`${what} is not reached by ${key}.`);
  }
});
