import { describe, expect, test } from "vitest";
import { isUpset } from "./upset.ts";

const upset = [
  "This is ridiculous.",
  "That's absolutely unacceptable, I ordered three weeks ago",
  "You are all useless",
  "what a joke!",
  "Are you kidding me?",
  "I’m so angry right now",
  "Stupid bot",
  "WTF",
  "WHERE IS MY ORDER!!",
  "Worst customer service ever",
  "My parcel is lost again. This is a complete waste of my time.",
  "Das ist doch lächerlich!",
  "So eine Frechheit",
  "Ihr seid doch alle unfähig",
  "Mir reicht's!",
  "Ich bin stinksauer",
  "Wollt ihr mich verarschen",
  "C'est vraiment inadmissible",
  "J'en ai marre",
  "Vous êtes des incompétents",
  "Je suis très en colère",
  "Vous vous moquez de moi ?",
  "Esto es ridículo",
  "¡Qué vergüenza!",
  "Son unos inútiles",
  "Estoy harta de esperar",
  "Me están tomando el pelo",
  "Isso é um absurdo!",
  "Vocês são incompetentes",
  "Estou muito irritada",
  "Que falta de respeito",
  "Pior atendimento da vida",
  "Это просто безобразие!",
  "Вы издеваетесь?",
  "Сколько можно ждать",
  "Я в бешенстве",
  "Меня это достало",
  "Тупой бот",
  "هذا غير مقبول",
  "أنتم نصابين",
  "أنا غاضب جداً",
  "أسوأ خدمة في حياتي",
  "روبوت غبي",
  "यह बिल्कुल बकवास है",
  "आप लोग चोर हैं",
  "मैं बहुत गुस्से में हूँ",
  "मज़ाक बना रखा है क्या",
  "घटिया सर्विस!",
  "ふざけるな",
  "いい加減にしてください",
  "最悪の対応ですね",
  "本当に腹が立ちます",
  "使えないボットだな",
  "太过分了！",
  "你们都是骗子",
  "气死我了",
  "垃圾客服",
  "什么破服务",
];

const calm = [
  "",
  "Where is my order?",
  "WHERE IS MY ORDER?",
  "Hello???",
  "Thank you so much!!!",
  "THANKS A LOT, THAT WORKED!",
  "Order ABC-123-DEF!!",
  "I'm not angry, just curious",
  "It's not ridiculous at all",
  "That would be ridiculous",
  "Is the joke book still available?",
  "This is a joke gift for my brother",
  "I bought the worst-case insurance",
  "Your prices are ridiculously good",
  "That was fucking great",
  "How do I report a scam?",
  "The box is broken and I want a refund",
  "I need it urgently, please hurry",
  "This does not work",
  "Unfortunately the answer is wrong.",
  "Ich bin nicht sauer",
  "Ist die Gurke sauer eingelegt?",
  "Das funktioniert leider nicht!",
  "Gibt es den Witzkalender noch?",
  "Je ne suis pas en colère",
  "C'est quoi le prix ?",
  "C'est quand même un peu cher",
  "Est-ce une blague ?",
  "No estoy enojada, solo pregunto",
  "El seguro cubre un robo",
  "¿Es una talla grande?",
  "Não estou irritado",
  "É um presente",
  "O robô aspirador não liga",
  "Я не злюсь, просто спрашиваю",
  "Это не работает",
  "Сколько можно положить в корзину?",
  "لست غاضبا",
  "هذا المنتج غير متوفر؟",
  "मैं नाराज नहीं हूँ",
  "यह काम नहीं कर रहा है",
  "怒っていませんよ",
  "最悪の場合、返金できますか",
  "ロボット掃除機の使い方を教えて",
  "我没有生气",
  "这个价格不过分",
  "你们是什么时候发货",
  "怎么滚动页面",
];

describe("an upset visitor is told for sure, in ten languages", () => {
  test.each(upset)("%j", (text) => {
    expect(isUpset(text)).toBe(true);
  });
});

describe("impatience, trouble and thanks are no anger", () => {
  test.each(calm)("%j", (text) => {
    expect(isUpset(text)).toBe(false);
  });
});

test("no text makes it take long", () => {
  for (const part of ["это ", "ist doch ", "!?", "A", "是", "(", "very "]) {
    expect(isUpset(part.repeat(50_000))).toBe(false);
  }
});
