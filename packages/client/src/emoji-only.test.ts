import { expect, test } from "vitest";
import { isEmojiOnly } from "./emoji-only.ts";

test.each(["👍", "❤️", "👨‍👩‍👧‍👦", "🇵🇹", "👍🏽🎉🙏", "1️⃣"])("%s is one to three emoji", (text) =>
  expect(isEmojiOnly(text)).toBe(true),
);

test.each(["", "1", "Thanks 👍", "👍👍👍👍", "👍\n", "#", "©"])("%s is a text like any other", (text) =>
  expect(isEmojiOnly(text)).toBe(false),
);
