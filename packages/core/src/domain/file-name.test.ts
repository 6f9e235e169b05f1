import { codePoint } from "@frontdesk/testing/code-point";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanFileName, nameInAddress } from "./file-name.ts";

test.each([
  ["photo.png", "photo.png"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\Vera\\photo.png", "photo.png"],
  ["folder/", "folder"],
  ["..", "file"],
  [". .", "file"],
  ["/", "file"],
  ["", "file"],
  ["a\u0000b\r\nSet-Cookie: x.png", "abSet-Cookie: x.png"],
  ["photo\u202egnp.exe", "photognp.exe"],
  ["\ufeffinvoice\u200b.pdf", "invoice.pdf"],
  ["  two   words .txt ", "two words .txt"],
  [".gitignore", ".gitignore"],
  ["Ünïcode 写真.jpg", "Ünïcode 写真.jpg"],
  ["👩\u200d🚀.png", "👩\u200d🚀.png"],
  ["half\ud800.png", "half.png"],
])("the name %j becomes %j", (name, clean) => {
  expect(cleanFileName(name)).toBe(clean);
});

test("a name that is too long is cut before its ending", () => {
  const clean = cleanFileName(`${"🚀".repeat(300)}.jpeg`);
  expect([...clean]).toHaveLength(255);
  expect(clean.endsWith("🚀.jpeg")).toBe(true);
  expect([...cleanFileName(`a.${"b".repeat(400)}`)]).toHaveLength(255);
});

test("whatever a file is called, its clean name is short, can be seen, is no path, and stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 300 }), (name) => {
      const clean = cleanFileName(name);
      expect([...clean].length).toBeGreaterThan(0);
      expect([...clean].length).toBeLessThanOrEqual(255);
      expect(clean).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]|^\.+$/u);
      expect(cleanFileName(clean)).toBe(clean);
    }),
  );
});

test("an address holds the name as one part of a path, and stays short", () => {
  expect(nameInAddress("Ünï & co?.png")).toBe("%C3%9Cn%C3%AF%20%26%20co%3F.png");
  expect(nameInAddress("写".repeat(255)).length).toBeLessThanOrEqual(900);
  expect(decodeURIComponent(nameInAddress("写".repeat(255)))).toMatch(/^写+$/);
  expect(nameInAddress("..")).toBe("file");
});
