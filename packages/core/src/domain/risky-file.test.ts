import { expect, test } from "vitest";
import { isRiskyFile } from "./risky-file.ts";

test.each([
  "setup.exe",
  "INVOICE.EXE",
  "invoice.pdf.scr",
  "run.bat",
  "update.js",
  "login.html",
  "logo.svg",
  "offer.docm",
  "macro.xlsm",
  "evil.exe.",
  "evil.exe ",
  "installer.dmg",
  "photo.jpg.lnk",
])("%s is risky", (name) => expect(isRiskyFile(name)).toBe(true));

test.each([
  "photo.jpg",
  "offer.docx",
  "table.xlsx",
  "terms.pdf",
  "notes.txt",
  "data.csv",
  "film.mp4",
  "files.zip",
  "exe",
  "exe.txt",
  "",
  ".",
])("%s is not", (name) => expect(isRiskyFile(name)).toBe(false));
