import { expect, test } from "vitest";
import { isInLanguage, languageOf } from "./script-language.ts";

const SENTENCES: Readonly<Record<string, string>> = {
  en: "When does my parcel arrive, and what can I do if it is not there?",
  de: "Wann kommt mein Paket an, und was kann ich tun, wenn es nicht da ist?",
  es: "¿Cuándo llega mi paquete y qué puedo hacer si no está en la casa?",
  fr: "Quand arrive mon colis, et que faire si je ne suis pas dans la maison ?",
  pt: "Quando chega o meu pacote e o que posso fazer se ele não está em casa?",
  ru: "Когда придёт моя посылка?",
  ar: "متى يصل طردي؟",
  hi: "मेरा पार्सल कब आएगा?",
  ja: "荷物はいつ届きますか？",
  "zh-CN": "我的包裹什么时候到？",
};

test.each(Object.entries(SENTENCES))(
  "a sentence in %s is in that language and in none of the others",
  (language, sentence) => {
    expect(languageOf(sentence)).toBe(language);
    for (const other of Object.keys(SENTENCES)) expect(isInLanguage(sentence, other), other).toBe(other === language);
  },
);

test("what is too short to tell, and names in another script, are wrong in no language", () => {
  expect(languageOf("OK")).toBeUndefined();
  expect(languageOf("iPhone 15")).toBeUndefined();
  expect(languageOf("123")).toBeUndefined();
  expect(isInLanguage("OK", "ja")).toBe(true);
  expect(isInLanguage("iPhone 15 ProとMacBook Airに対応しています。", "ja")).toBe(true);
  expect(isInLanguage("Sim, pode.", "pt-BR")).toBe(true);
  expect(isInLanguage("Tak, zwrot jest możliwy.", "pl")).toBe(true);
  expect(isInLanguage("Any text", "not a language")).toBe(true);
});
