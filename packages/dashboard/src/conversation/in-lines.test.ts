import { expect, test } from "vitest";
import { inLines } from "./in-lines.ts";

test("a request is shown with a line for each member, and for each line of its texts", () => {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: 'One "line".\n\nC:\\new' }] });
  expect(inLines(body).split("\n")).toEqual([
    "{",
    '  "model": "m",',
    '  "messages": [',
    "    {",
    '      "role": "user",',
    '      "content": "One \\"line\\".',
    "",
    'C:\\\\new"',
    "    }",
    "  ]",
    "}",
  ]);
});

test("an answer that is no JSON is shown as it is", () => {
  expect(inLines("ANSWER\nFive days. [1]")).toBe("ANSWER\nFive days. [1]");
});
