import { describe, expect, test } from "vitest";
import { readConfirmation } from "./confirmation.ts";

describe("that an answer helped is read in every language of the widget", () => {
  test.each([
    "Thanks, that worked!",
    "It works now",
    "Perfect, thank you",
    "That helped, thanks",
    "Problem solved",
    "Danke, das hat geholfen!",
    "Es funktioniert jetzt",
    "Merci, ça marche !",
    "Ça m'a bien aidé",
    "¡Gracias, ya funciona!",
    "Me ha ayudado",
    "Obrigado, funcionou!",
    "Resolvido, valeu",
    "Спасибо, помогло!",
    "Теперь работает",
    "شكرا، ساعدني ذلك",
    "धन्यवाद, मदद मिली",
    "解決しました。ありがとうございます。",
    "できました！",
    "谢谢，解决了",
    "可以了",
  ])("%s", (text) => expect(readConfirmation(text)).toBe("helped"));
});

describe("that an answer did not help is never read as that it did", () => {
  test.each([
    "No, that is wrong",
    "That didn't work",
    "It still doesn't work",
    "That did not help, thanks",
    "Not helpful",
    "Das hat nicht geholfen",
    "Nein, das ist falsch",
    "Es funktioniert immer noch nicht",
    "Ça ne marche pas",
    "Non, c'est faux",
    "No, eso es incorrecto",
    "No me ha ayudado",
    "Não funcionou",
    "Não, está errado",
    "Не помогло",
    "Нет, это неверно",
    "لم يساعدني ذلك",
    "नहीं, यह गलत है",
    "解決しませんでした",
    "違います",
    "不对",
    "没用，还是不行",
  ])("%s", (text) => expect(readConfirmation(text)).toBe("not-helped"));
});

describe("thanks alone confirm nothing", () => {
  test.each([
    "Thanks!",
    "Thank you very much",
    "Danke",
    "Merci beaucoup",
    "Gracias",
    "Obrigada",
    "Спасибо большое",
    "شكرا",
    "धन्यवाद",
    "ありがとうございます",
    "谢谢",
  ])("%s", (text) => expect(readConfirmation(text)).toBe("thanks"));
});

describe("a question, a reservation or another matter is none of them", () => {
  test.each([
    "Thanks, that worked, but where is my invoice",
    "It works now, but only at home",
    "That worked? Really?",
    "When does my parcel arrive",
    "Does it work if I restart it",
    "Danke, aber wie lange dauert es",
    "Wie funktioniert das",
    "Gracias, pero falta uno",
    "谢谢，但是我还有问题",
    "Thanks, I will write again when my parcel has arrived",
  ])("%s", (text) => expect(readConfirmation(text)).toBeUndefined());
});
