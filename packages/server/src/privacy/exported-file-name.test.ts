import { expect, test } from "vitest";
import { exportedFilePath } from "./exported-file-name.ts";

test.each([
  ["report.pdf", "files/0001-report.pdf"],
  ["../../etc/passwd", "files/0001-passwd"],
  ["..\\..\\autoexec.bat", "files/0001-autoexec.bat"],
  ["CON", "files/0001-CON"],
  ["..", "files/0001-file"],
  ["dot. ", "files/0001-dot"],
  ["a:b|c?.txt", "files/0001-a_b_c_.txt"],
  ["photo\u202egnp.exe", "files/0001-photognp.exe"],
  ["🦊.png", "files/0001-🦊.png"],
  [null, "files/0001-file"],
])("a file called %j is unpacked as %s", (name, path) => {
  expect(exportedFilePath(1, name)).toBe(path);
});

test.each(["a", "ü", "🦊"])(
  "a name of 300 times %s is cut to what every system takes, and keeps its ending",
  (letter) => {
    const path = exportedFilePath(1, `${letter.repeat(300)}.pdf`);
    expect(Buffer.byteLength(path)).toBeLessThan(170);
    expect(path).toMatch(new RegExp(`^files/0001-${letter}+\\.pdf$`, "u"));
  },
);

test("two files of one name have two paths", () => {
  expect(exportedFilePath(2, "photo.png")).not.toBe(exportedFilePath(1, "photo.png"));
});
