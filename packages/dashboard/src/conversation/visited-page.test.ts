import { expect, test } from "vitest";
import { visitedPage } from "./visited-page.ts";

test("a page of the web is a link, shown with its host", () => {
  expect(visitedPage("https://acme.test/shop?item=1#more")).toEqual({
    href: "https://acme.test/shop?item=1#more",
    host: "acme.test",
    text: "acme.test/shop?item=1",
  });
  expect(visitedPage("HTTP://user@acme.test:8080/")).toMatchObject({ host: "acme.test:8080", text: "acme.test:8080/" });
});

test.each([
  "ms-word:ofe|u|https://evil.test/a.docm",
  "vscode://file/etc",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "/shop",
  "",
])("%s is text and leads nowhere", (page) => {
  expect(visitedPage(page)).toEqual({ href: undefined, host: "", text: page });
});
