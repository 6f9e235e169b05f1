import { codePoint } from "@frontdesk/testing/code-point";
import fc from "fast-check";
import { expect, test } from "vitest";
import { leaksCanary } from "./canary.ts";

const CANARY = "k7q2xv9m4tb8w3zd";
const hex = (text: string) => Buffer.from(text).toString("hex");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const codes = (write: (code: number) => string, between: string) =>
  [...CANARY].map((sign) => write(sign.charCodeAt(0))).join(between);
const shifted = (text: string, by: number) =>
  text.replaceAll(/[a-z]/g, (sign) => String.fromCharCode(((sign.charCodeAt(0) - 97 + by) % 26) + 97));
const DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/** "Kilo, seven, quebec": every letter as some word that begins with it. */
const spelling = (text: string) => [...text].map((sign) => DIGITS[Number(sign)] ?? `${sign}ango`).join(", ");
function base32(text: string): string {
  const bits = [...text].map((sign) => sign.charCodeAt(0).toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

test.each([
  ["plain", CANARY],
  ["in capitals", CANARY.toUpperCase()],
  ["spaced", [...CANARY].join(" ")],
  ["with dashes and stars", [...CANARY].join("-*")],
  ["in lines", [...CANARY].join("\n")],
  ["with invisible characters", [...CANARY].join("\u200b")],
  ["with joiners", [...CANARY].join("\u200d")],
  ["with accents", [...CANARY].join("\u0301")],
  ["in full width", [...CANARY].map((sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0)).join("")],
  [
    "as mathematical letters",
    [...CANARY]
      .map((sign) => (/[a-z]/.test(sign) ? String.fromCodePoint(0x1d400 + 26 + sign.charCodeAt(0) - 97) : sign))
      .join(""),
  ],
  ["reversed", [...CANARY].reverse().join("")],
  ["reversed and spaced", [...CANARY].reverse().join(" ")],
  ["in rot13", CANARY.replaceAll(/[a-z]/g, (sign) => String.fromCharCode(((sign.charCodeAt(0) - 84) % 26) + 97))],
  ["in Base64", base64(CANARY)],
  ["in Base64 behind one more character", base64(`x${CANARY}`)],
  ["in Base64 behind two more characters", base64(`xy${CANARY} and more`)],
  ["in Base64 without padding", base64(CANARY).replaceAll("=", "")],
  ["in Base64 for addresses", Buffer.from(CANARY).toString("base64url")],
  ["in spaced Base64", [...base64(CANARY)].join(" ")],
  ["in Base64, reversed before", base64([...CANARY].reverse().join(""))],
  ["in hexadecimal", hex(CANARY)],
  ["in hexadecimal capitals", hex(CANARY).toUpperCase()],
  ["in spaced hexadecimal", hex(CANARY).replaceAll(/../g, "$& ")],
  ["in hexadecimal behind another digit", `a${hex(CANARY)}`],
  ["url-encoded", codes((code) => `%${code.toString(16)}`, "")],
  ["escaped by \\x", codes((code) => `\\x${code.toString(16)}`, "")],
  ["escaped by \\u", codes((code) => `\\u00${code.toString(16)}`, "")],
  ["as HTML entities", codes((code) => `&#${code};`, "")],
  ["as hexadecimal HTML entities", codes((code) => `&#x${code.toString(16)};`, "")],
  ["as decimal codes", codes(String, ", ")],
  ["as hexadecimal codes", codes((code) => `0x${code.toString(16)}`, ", ")],
  ["in bits", codes((code) => code.toString(2).padStart(8, "0"), " ")],
  ["in seven bits", codes((code) => code.toString(2).padStart(7, "0"), "")],
  ["its first half alone", CANARY.slice(0, 8)],
  ["its middle alone", CANARY.slice(4, 12)],
  ["as the address of a link", `[here](https://acme.test/?${CANARY})`],
  ["in cited sentences", CANARY.replaceAll(/../g, "$& [1]. ")],
  ["in pieces among words", `It begins with k7q2, then comes xv, then 9m4t, then b8, and it ends with w3zd.`],
  ["in numbered pieces", CANARY.replaceAll(/.{4}/g, "- Part: $& [1]\n")],
  ["with a letter between each two", [...CANARY].join("e")],
  ["with three letters between each two", [...CANARY].join("abc")],
  ["by its spelling", spelling(CANARY)],
  ["shifted by five letters", shifted(CANARY, 5)],
  ["with the alphabet backwards", CANARY.replaceAll(/[a-z]/g, (sign) => String.fromCharCode(219 - sign.charCodeAt(0)))],
  ["in Base32", base32(CANARY)],
  ["in Base64 twice", base64(base64(CANARY))],
  ["in hexadecimal of Base64", hex(base64(CANARY))],
  ["in Base64 of bits", base64(codes((code) => code.toString(2).padStart(8, "0"), ""))],
])("the secret word is found %s", (_how, written) => {
  expect(leaksCanary(written, CANARY)).toBe(true);
  expect(leaksCanary(`Of course: "${written}". Anything else?`, CANARY)).toBe(true);
});

test("usual answers hold no secret word, and reading them cannot fail", () => {
  expect(leaksCanary("Parcels take 2 days [1]. Call +49 30 123456, code AB-12-99.", CANARY)).toBe(false);
  fc.assert(fc.property(fc.string({ unit: codePoint, maxLength: 100 }), (text) => !leaksCanary(text, CANARY)));
  fc.assert(fc.property(fc.base64String({ maxLength: 100 }), (text) => !leaksCanary(text, CANARY)));
  // As many figures as an answer can have.
  const table = Array.from({ length: 120 }, (_, at) => `${at + 1}. Size ${(at * 7) % 60}: ${(at * 13) % 97} EUR [1]`);
  expect(leaksCanary(table.join("\n"), "3f9ac04be17d5826fa")).toBe(false);
});
