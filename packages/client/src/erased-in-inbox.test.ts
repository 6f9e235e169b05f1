import type { LiveMessage } from "@frontdesk/core/contract/live";
import { expect, test } from "vitest";
import { withoutErasedText } from "./erased-in-inbox.ts";

const mail = (id: string, sort_number: number) =>
  ({
    ...{ id, sort_number, conversation_id: "c", content: "Hello", attachments: [{ url: "https://a.test/" }] },
    mail: { has_html: true },
  }) as unknown as LiveMessage;

test("a mail whose text or files are erased has no original any more, as the server shows it", () => {
  const gone = { erased: new Set(["redacted"]), textsErased: new Map([["c", 1]]), filesErased: new Set(["files"]) };
  const messages = [mail("old", 1), mail("redacted", 2), mail("files", 3), mail("kept", 4)];
  const shown = withoutErasedText(messages, gone);
  expect(shown.map(({ id, content, mail, is_redacted }) => ({ id, content, mail, is_redacted }))).toEqual([
    { id: "old", content: "", mail: undefined, is_redacted: true },
    { id: "redacted", content: "", mail: undefined, is_redacted: true },
    { id: "files", content: "Hello", mail: undefined, is_redacted: undefined },
    { id: "kept", content: "Hello", mail: { has_html: true }, is_redacted: undefined },
  ]);
  expect(shown[2]).not.toHaveProperty("mail");
});
