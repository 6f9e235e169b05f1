/** The type of a file, by its content alone (docs/decisions/0022-files.md). */

import { PNG } from "@frontdesk/testing/sample-files";
import { expect, test } from "vitest";
import { watchContent } from "./content-type.ts";

/** Handed over in pieces of `step` bytes, as a network might. */
function mimeOf(content: string | Buffer, step = 7): Promise<string> {
  const bytes = Buffer.from(content);
  const watcher = watchContent();
  for (let at = 0; at < bytes.byteLength; at += step) watcher.see(bytes.subarray(at, at + step));
  return watcher.mime();
}

test.each([
  ["a PNG", PNG, "image/png"],
  ["a GIF that is a script as well", "GIF89a/*\u0001*/=alert(1)//", "image/gif"],
  ["a PDF", "%PDF-1.7\n1 0 obj", "application/pdf"],
  ["a text in any script", "Grüße, 写真 👋\n", "text/plain"],
  ["HTML", "<!doctype html><script>alert(1)</script>", "text/plain"],
  ["an SVG", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "text/plain"],
  ["an SVG that says it is XML", "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", "text/plain"],
  ["a contact card", "BEGIN:VCARD\nEND:VCARD", "text/plain"],
  ["a script", "#!/bin/sh\nrm -rf .", "text/plain"],
  ["a text with NUL", "hello\0world", "application/octet-stream"],
  ["a text in Latin 1", Buffer.from("Grüße", "latin1"), "application/octet-stream"],
  ["a text that ends within a letter", Buffer.from("写").subarray(0, 2), "application/octet-stream"],
  ["mere bytes", Buffer.from([0, 1, 2, 250, 251]), "application/octet-stream"],
])("%s is found out", async (_what, content, mime) => {
  expect(await mimeOf(content)).toBe(mime);
  expect(await mimeOf(content, 1)).toBe(mime);
});

test("a text is looked through to its end", async () => {
  const long = "a".repeat(300_000);
  expect(await mimeOf(long, 65_536)).toBe("text/plain");
  expect(await mimeOf(`${long}\0`, 65_536)).toBe("application/octet-stream");
});
