import { describe, expect, test } from "vitest";
import { foldSearch, searchable } from "./search-text.ts";
import { stemOf, typoForms } from "./word-forms.ts";

describe("one form of a word finds the others", () => {
  test.each([
    ["blankets", "A blanket, please"],
    ["blanket", "Two blankets"],
    ["deliveries", "the delivery"],
    ["delivery", "late deliveries"],
    ["boxes", "one box"],
    ["shipping", "When do you ship?"],
    ["refunded", "a refund"],
    ["tracking", "I track it"],
    ["Rechnungen", "Ihre Rechnung"],
    ["commandes", "ma commande"],
    ["pedidos", "mi pedido"],
    ["encomendas", "a encomenda"],
    ["заказы", "Где мой заказ?"],
    ["одеяла", "одно одеяло"],
    ["доставки", "доставка"],
    ["الطلبات", "أين طلبي؟"],
    ["कंबलों", "एक कंबल"],
    ["返品", "返品したいです"],
  ])("%s in %s", (search, text) => {
    expect(searchable(text)).toContain(stemOf(foldSearch(search)));
  });

  test.each(["order", "address", "status", "evening", "garden", "need", "4711s", "pass", "x"])(
    "%s has no ending to cut off",
    (word) => {
      expect(stemOf(word)).toBe(word);
    },
  );

  test("a form is part of its word", () => {
    for (const word of ["cancelled", "شحنات", "заказами", "stores", "universities", "कंबलों"]) {
      expect(foldSearch(word)).toContain(stemOf(foldSearch(word)));
    }
  });
});

describe("one typo is forgiven", () => {
  const finds = (search: string, text: string) => {
    const forms = typoForms(search);
    if (!forms) return false;
    const isFound = forms.patterns.some((pattern) => new RegExp(pattern.replaceAll("_", "."), "su").test(text));
    // What contains a pattern contains a piece, too.
    if (isFound) expect(forms.pieces.some((piece) => text.includes(piece))).toBe(true);
    return isFound;
  };

  test.each([
    ["a letter missing", "blankt"],
    ["a letter too many", "blannket"],
    ["a wrong letter", "blamket"],
    ["a wrong first letter", "planket"],
    ["two letters swapped", "blnaket"],
    ["two letters swapped in the middle", "blaknet"],
    ["none", "blanket"],
  ])("%s: %s", (_what, typed) => {
    expect(finds(typed, "where is my blanket?")).toBe(true);
  });

  test("two are not, nor one in a short word, in a number or in a script of whole words", () => {
    for (const typed of ["blnkt", "mx", "471l", "返品交換返"])
      expect(finds(typed, "my blanket 4711 返品交換送")).toBe(false);
  });
});
