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

test.each([
  ["de", ["Ich möchte mit einem Mitarbeiter sprechen", "Mitarbeiter bitte", "Danke!", "Wann kommt mein Paket an?"]],
  ["en", ["Talk to a human", "Refund please", "I need help", "Can I get a refund?"]],
  ["fr", ["Je voudrais parler à quelqu’un", "Merci", "Où est mon colis ?"]],
  ["es", ["Quiero hablar con una persona", "Gracias", "¿Hay descuento?"]],
  ["pt", ["Quero falar com uma pessoa", "Obrigada", "Preciso de ajuda"]],
  ["it", ["Vorrei parlare con qualcuno", "Grazie"]],
  ["nl", ["Ik wil graag iemand spreken", "Bedankt"]],
])("a short request in %s is told by the small words it is made of", (language, requests) => {
  for (const request of requests) expect(languageOf(request), request).toBe(language);
});

test("names, greetings of everyone, and languages whose words we do not know are of no certain language", () => {
  const unsure = ["Hi", "Hello!", "Frau Schmidt", "Vera Rossi", "no", "por favor", "de la Cruz", "Order 4711", "Ciao"];
  const others = [
    "Jag vill prata med en människa",
    "Kan jeg snakke med en person",
    "Jeg vil tale med et menneske",
    "Chcę rozmawiać z człowiekiem",
    "Bir insanla konuşmak istiyorum",
    "Vreau să vorbesc cu un om",
  ];
  for (const text of [...unsure, ...others]) expect(languageOf(text), text).toBeUndefined();
});

test("an answer is not withheld for a short text that may be in another language", () => {
  expect(isInLanguage("Merci!", "de")).toBe(true);
  expect(isInLanguage("Danke", "en")).toBe(true);
});
