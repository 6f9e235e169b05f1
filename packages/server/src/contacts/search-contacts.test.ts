/** GET /contacts?search= (decisions 1 and 2). */

import { invalid } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { contactOf, veraArrives } from "@frontdesk/testing/vera";
import { beforeAll, expect, test } from "vitest";

const { team } = await startTestApp();

let acme: TestTeam;
let vera: string;
beforeAll(async () => {
  acme = await team();
  vera = await veraArrives(acme, { name: "Vera Voss", email: "v.voss@Example.com", phone: "+4915112345678" });
  for (const name of [
    "Jos\u00e9",
    "Rene\u0301e",
    "\u0130pek",
    "Weißmann",
    "Οδυσσέας",
    "Ｋｅｉｋｏ",
    "李小龙",
    "100% Percy",
    "under_score",
    "back\\slash",
    `quo"te o'clock`,
    "🙂 Smiley",
    "X2",
  ]) {
    await veraArrives(acme, { name });
  }
  await veraArrives(acme, { name: "Phoebe", phone: "0301234567" });
});

test.each([
  ["part of a name", "era vo", "Vera Voss"],
  ["case does not matter", "vERA", "Vera Voss"],
  ["part of an e-mail address", "voss@ex", "Vera Voss"],
  ["case of an e-mail does not matter either", "V.VOSS@EXAMPLE.COM", "Vera Voss"],
  ["spaces around it are cut off", "%20%20vera%09", "Vera Voss"],
  ["the digits of a phone number", "4915112345678", "Vera Voss"],
  ["digits from its middle", "15112", "Vera Voss"],
  ["a phone number as people write it", "+49 (151)", "Vera Voss"],
  ["the same with other signs", "151/123-456.78", "Vera Voss"],
  ["few digits", "03", "Phoebe"],
  ["few digits between signs", "(03)", "Phoebe"],
  ["one digit in a name", "x2", "X2"],
  ["two letters", "ph", "Phoebe"],
  ["one letter that one name has", "q", `quo"te o'clock`],
  ["two letters of another script", "小龙", "李小龙"],
  ["one sign", "小", "李小龙"],
  ["three letters", "pho", "Phoebe"],
  ["a composed letter, asked for decomposed", "jose\u0301", "Jos\u00e9"],
  ["a decomposed letter, asked for composed", "REN\u00c9E", "Rene\u0301e"],
  ["two letters, one of them composed", "s\u00e9", "Jos\u00e9"],
  ["the Turkish dotted capital i", "\u0130PEK", "\u0130pek"],
  ["the same, decomposed", "i\u0307pek", "\u0130pek"],
  ["a sharp s by its capital", "WEIẞMANN", "Weißmann"],
  ["Greek in capitals", "ΟΔΥΣΣΈΑΣ", "Οδυσσέας"],
  ["Greek in capitals, ending within the word", "ΟΔΥΣ", "Οδυσσέας"],
  ["full-width letters by plain ones", "keiko", "Ｋｅｉｋｏ"],
  ["plain letters by full-width ones", "ｖｅｒａ", "Vera Voss"],
  ["full-width digits of a phone", "１５１", "Vera Voss"],
  ["an emoji", "🙂", "🙂 Smiley"],
  ["a percent sign is only itself", "%", "100% Percy"],
  ["also among letters", "100% per", "100% Percy"],
  ["an underscore is only itself", "_", "under_score"],
  ["also among letters", "er_sc", "under_score"],
  ["a backslash is only itself", "\\", "back\\slash"],
  ["also among letters", "back\\slash", "back\\slash"],
  ["a quotation mark", `quo"te`, `quo"te o'clock`],
  ["several words, wherever they stand", "example.com  vOss", "Vera Voss"],
  ["a sharp s as two letters", "weissmann", "Weißmann"],
  ["letters without their accents", "jose", "Jos\u00e9"],
  ["a phone number with the code of the country in another form", "0049 (0)151 1234-5678", "Vera Voss"],
  ["an apostrophe left out", "oclock", `quo"te o'clock`],
  ["an apostrophe", "o'clock", `quo"te o'clock`],
])("%s: %s", async (_what, search, name) => {
  expect(await found(search.startsWith("%20") ? decodeURIComponent(search) : search)).toEqual([name]);
});

test.each([
  "v_ra",
  "v%a",
  "vera%",
  "vossv.voss",
  "vera vossv",
  "vera phoebe",
  "4915112345679",
  "49151x",
  "vera OR percy",
  '"vera"',
  "vera*",
  "search_text:vera",
  "NEAR(vera voss)",
  "weismann",
  "Website",
])("nothing else matches, and no text matches across a name and an e-mail: %j", async (search) => {
  expect(await found(search)).toEqual([]);
});

test("a search is the exact id of a contact, whatever the case", async () => {
  expect(await found(vera)).toEqual(["Vera Voss"]);
  expect(await found(vera.toUpperCase())).toEqual(["Vera Voss"]);
  expect(await found(` ${vera} `)).toEqual(["Vera Voss"]);
  expect(await found(vera.slice(0, -1))).toEqual([]);
});

test.each(["", "   ", "\t\n"])("an empty search is no filter: %j", async (search) => {
  expect(await found(search)).toHaveLength(15);
});

test("a search of 255 characters is taken, one of 256 gives 422", async () => {
  expect(await found("s".repeat(255))).toEqual([]);
  expect(await found("🙂".repeat(255))).toEqual([]);
  const { status, body } = await acme.get(`/contacts?search=${"s".repeat(256)}`);
  expect(status).toBe(422);
  expect(body).toEqual(invalid("search"));
});

test("what a contact was called before is not found any more, what it is called now is", async () => {
  const zurich = await team();
  const contact = await veraArrives(zurich, { name: "Vera Voss", email: "vera@old.test", phone: "+4915112345678" });
  await zurich.put(`/contacts/${contact}`, { name: "Verena Weiss", email: "verena@new.test", phone: "0301234567" });
  for (const search of ["voss", "ss", "old.test", "151123", "15"]) {
    const [name] = search === "ss" ? ["Verena Weiss"] : [];
    expect(await found(search, zurich), search).toEqual(name ? [name] : []);
  }
  for (const search of ["weiss", "new.test", "0301234567", "03"]) {
    expect(await found(search, zurich), search).toEqual(["Verena Weiss"]);
  }
});

test("only what was found is counted and paged", async () => {
  const globex = await team();
  for (const name of ["Vera", "Victor", "Verena", "Veronica"]) await veraArrives(globex, { name });
  for (const search of ["ver", "ve"]) {
    const { body } = await globex.get(`/contacts?search=${search}&limit=2&page=2&include_fields=name`);
    expect(body.data.map((contact: { attributes: object }) => contact.attributes)).toEqual([{ name: "Vera" }]);
    expect(body.meta.pagination).toEqual({ total: 3, count: 1, per_page: 2, current_page: 2, total_pages: 2 });
    expect(body.links.next).toBeNull();
  }
});

test("a contact without name, e-mail and phone is found by its id alone", async () => {
  const globex = await team();
  const contact = await veraArrives(globex, { name: "" });
  expect(await contactOf(globex, contact)).toMatchObject({ name: null, email: null, phone: null });
  expect(await found(contact, globex)).toEqual([null]);
  expect(await found("null", globex)).toEqual([]);
});

/** The names of the contacts that a search answers. */
async function found(search: string, from: TestTeam = acme): Promise<(string | null)[]> {
  const { status, body } = await from.get(`/contacts?limit=100&search=${encodeURIComponent(search)}`);
  expect(status).toBe(200);
  expect(body.meta.pagination.total).toBe(body.data.length);
  return body.data.map((contact: { attributes: { name: string | null } }) => contact.attributes.name);
}
