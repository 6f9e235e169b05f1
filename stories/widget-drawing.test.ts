import { openBrowser } from "@frontdesk/testing/browser";
import { buildSync } from "esbuild";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { root } from "./house/source-files.ts";

/** A page with `packages/widget/src/frame/draw.ts` in it, as `drawing`. */
async function pageThatDraws(): Promise<Page> {
  const { outputFiles } = buildSync({
    entryPoints: [`${root}/packages/widget/src/frame/draw.ts`],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "drawing",
  });
  const page = await (await openBrowser()).newPage();
  await page.setContent("<main></main>");
  await page.addScriptTag({ content: `${outputFiles[0]?.text}\nwindow.drawing = drawing` });
  return page;
}

test("what is drawn over something else is what is drawn afresh, for any two views", async () => {
  const page = await pageThatDraws();
  const { differing, elements } = (await page.evaluate(`(() => {
    const { draw, jsx } = drawing;
    let seed = 7;
    const chance = (most) => (seed = (seed * 48271) % 2147483647) % most;
    const tags = ["p", "ul", "svg", "b"];
    const view = (depth) => {
      const kind = chance(8);
      if (kind === 0) return [null, undefined, false, true, ""][chance(5)];
      if (kind === 1 || depth === 0) return ["one", "two", 3, 0][chance(4)];
      if (kind === 2) return Array.from({ length: chance(5) }, () => view(depth - 1));
      if (kind === 3) {
        const keys = ["a", "b", "c", "d", "e"].sort(() => chance(3) - 1).slice(chance(5));
        return keys.map((key) => jsx(tags[chance(4)], { id: key, children: view(depth - 1) }, key));
      }
      const attributes = { class: ["x", "y", undefined][chance(3)], "aria-hidden": [true, false][chance(2)], hidden: [true, false][chance(2)] };
      return jsx(tags[chance(4)], { ...attributes, children: Array.from({ length: chance(4) }, () => view(depth - 1)) });
    };
    const kept = document.createElement("div");
    const differing = [];
    let elements = 0;
    for (let round = 0; round < 2000; round += 1) {
      const content = view(3);
      const fresh = document.createElement("div");
      draw(kept, content);
      draw(fresh, content);
      elements += kept.querySelectorAll("*").length;
      // Independent of the order of attributes.
      if (!kept.isEqualNode(fresh)) differing.push([kept.innerHTML, fresh.innerHTML]);
    }
    return { differing, elements };
  })()`)) as { differing: string[][]; elements: number };
  expect(differing).toEqual([]);
  // The premise: some views were not empty.
  expect(elements).toBeGreaterThan(2_000);
});

test("what stays is the same element, keeps its focus and what was typed, whatever comes and goes beside it", async () => {
  const page = await pageThatDraws();
  const found = await page.evaluate(`(() => {
    const { draw, jsx } = drawing;
    const main = document.querySelector("main");
    const box = (value) => jsx("input", { value, id: "box" }, "box");
    const line = (key) => jsx("p", { children: key }, key);
    draw(main, [line("a"), box(""), line("b")]);
    const before = main.querySelector("input");
    before.focus();
    before.value = "typed";
    draw(main, [jsx("h1", { children: "new" }), [line("c"), line("d")], false, box("typed"), line("b")].flat());
    draw(main, [box("typed")]);
    return [main.querySelector("input") === before, document.activeElement === before, before.value, main.innerHTML];
  })()`);
  expect(found).toEqual([true, true, "typed", '<input id="box">']);
});

test("a handler is the one that was drawn last, and text is never markup", async () => {
  const page = await pageThatDraws();
  const found = await page.evaluate(`(() => {
    const { draw, jsx } = drawing;
    const main = document.querySelector("main");
    const heard = [];
    for (const name of ["first", "last"]) draw(main, jsx("button", { onClick: () => heard.push(name), children: "<b>x</b>" }));
    main.firstChild.click();
    draw(main, jsx("button", { children: "<b>x</b>" }));
    main.firstChild.click();
    return [heard, main.innerHTML];
  })()`);
  expect(found).toEqual([["last"], "<button>&lt;b&gt;x&lt;/b&gt;</button>"]);
});
