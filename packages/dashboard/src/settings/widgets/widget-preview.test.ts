import { readFileSync } from "node:fs";
import { widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import { expect, test } from "vitest";
import * as icons from "./widget-icons.ts";

const packages = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, packages), "utf8");

test("the preview has the widget's icons", () => {
  const { launcherIcon, ...ofChat } = icons;
  expect(read("widget/src/loader.ts")).toContain(`icon("${launcherIcon}")`);
  for (const [name, line] of Object.entries(ofChat)) {
    expect(read("widget/src/frame/icons.tsx")).toContain(`export const ${name} = "${line}";`);
  }
});

test.each(widgetLanguages)("in %s the preview says what the widget says", (language) => {
  const ours = JSON.parse(read(`dashboard/src/languages/${language}.json`));
  const widgets = JSON.parse(read(`widget/src/languages/${language}.json`));
  expect({
    title: ours["widget.previewTitle"],
    text: ours["widget.previewText"],
    online: ours["widget.previewOnline"],
    placeholder: ours["widget.previewPlaceholder"],
  }).toEqual({
    title: widgets.greetingTitle,
    text: widgets.greetingText,
    online: widgets.online,
    placeholder: widgets.placeholder,
  });
});
