import fc from "fast-check";
import { expect, test } from "vitest";
import { baseSubject, replySubject, SUBJECT_MAX } from "./mail-subject.ts";

test.each([
  ["Invoice 4711", "Invoice 4711"],
  ["Re: Invoice", "Invoice"],
  ["RE: re: Re:Invoice", "Invoice"],
  ["Re[2]: Invoice", "Invoice"],
  ["RE(3): Fwd: Invoice", "Invoice"],
  ["Re*2: Invoice", "Invoice"],
  ["Re : Invoice", "Invoice"],
  ["AW: WG: Rechnung", "Rechnung"],
  ["SV: VS: Faktura", "Faktura"],
  ["RV: Factura", "Factura"],
  ["TR: Facture", "Facture"],
  ["Antw: Doorst: Factuur", "Factuur"],
  ["RES: ENC: Fatura", "Fatura"],
  ["R: I: Fattura", "Fattura"],
  ["Odp: PD: Faktura", "Faktura"],
  ["YNT: Fatura", "Fatura"],
  ["Ответ: Счёт", "Счёт"],
  ["НА: Пересл: Счёт", "Счёт"],
  ["回复：发票", "发票"],
  ["回复: 转发: 发票", "发票"],
  ["答覆: 轉寄: 發票", "發票"],
  ["返信: 転送： 請求書", "請求書"],
  ["회신: 전달: 송장", "송장"],
  ["השב: חשבונית", "חשבונית"],
  ["رد: فاتورة", "فاتورة"],
  ["إعادة توجيه: فاتورة", "فاتورة"],
  ["ΑΠ: Τιμολόγιο", "Τιμολόγιο"],
  ["[Fwd: Invoice]", "Invoice"],
  ["Re: [Fwd: Invoice]", "Invoice"],
  ["Invoice (fwd)", "Invoice"],
  ["Re:\r\n Invoice\tof  May", "Invoice of May"],
  ["Re:", ""],
  ["", ""],
])("of the subject %j, %j is left", (subject, base) => {
  expect(baseSubject(subject)).toBe(base);
});

test.each([
  "Reply: to all",
  "Ref 12: broken",
  "Regarding: rent",
  "Reinvoice",
  "Tel: 0151 123",
  "Invoice Re: May",
  "[list] Re: Invoice",
  "Frage: wie geht das?",
  "12: 30 o'clock",
])("in %j nothing is a prefix", (subject) => {
  expect(baseSubject(subject)).toBe(subject);
});

test("a subject has at most 255 characters, none of them halved", () => {
  expect(baseSubject(`Re: ${"a".repeat(400)}`)).toBe("a".repeat(SUBJECT_MAX));
  expect(baseSubject(`${"a".repeat(SUBJECT_MAX - 1)}😀`)).toBe("a".repeat(SUBJECT_MAX - 1));
});

test("the subject of a reply has one Re:", () => {
  expect(replySubject("AW: Fwd: Invoice")).toBe("Re: Invoice");
  expect(replySubject("")).toBe("Re:");
});

test("any number of prefixes before a subject changes nothing, and neither does a second time", () => {
  const prefixes = fc.array(fc.constantFrom("Re: ", "AW: ", "Fwd:", "回复：", "SV[2]: ", "Ответ: ", " TR : "));
  const text = fc.string({ unit: fc.constantFrom(..."Re: AW[2]()fd票：😀\ud800\u202e\r\n\t"), maxLength: 300 });
  fc.assert(
    fc.property(prefixes, text, (before, subject) => {
      const base = baseSubject(subject);
      fc.pre(base === baseSubject(base));
      expect(baseSubject(before.join("") + base)).toBe(base);
      expect(baseSubject(replySubject(subject))).toBe(base);
      expect(/[\r\n]/.test(base) || !base.isWellFormed()).toBe(false);
    }),
  );
});

test("a subject of nothing but prefixes takes no time", () => {
  expect(baseSubject("Re: ".repeat(500_000))).toBe("");
});
