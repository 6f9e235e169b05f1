import type { Question } from "../question.ts";

/** Four ways to ask for a person in each of the ten languages; all of them are obeyed without a model. */
const asked: Readonly<Record<string, readonly string[]>> = {
  en: [
    "Can I talk to a human please?",
    "I'd like to speak with someone from your support team.",
    "Connect me to a real person",
    "This isn't helping. I want to chat with an agent.",
  ],
  de: [
    "Ich möchte bitte mit einem Menschen sprechen.",
    "Kann ich mit einem Mitarbeiter chatten?",
    "Verbinden Sie mich bitte mit einem Mitarbeiter.",
    "Ich will nicht mit einem Bot schreiben.",
  ],
  fr: [
    "Je voudrais parler à un conseiller, s'il vous plaît.",
    "Est-ce que je peux parler à une vraie personne ?",
    "Passez-moi un humain",
    "Mettez-moi en relation avec un agent.",
  ],
  es: [
    "Quiero hablar con una persona, por favor.",
    "¿Me puede atender un agente? Necesito hablar con un agente.",
    "Páseme con un operador",
    "No quiero hablar con un bot.",
  ],
  pt: [
    "Quero falar com um atendente, por favor.",
    "Posso conversar com uma pessoa?",
    "Me transfere para um humano",
    "Não quero falar com um robô.",
  ],
  ru: [
    "Я хочу поговорить с живым человеком.",
    "Соедините меня, пожалуйста, с оператором.",
    "Позовите менеджера",
    "Можно поговорить с сотрудником?",
  ],
  ar: [
    "أريد التحدث مع موظف من فضلك",
    "هل يمكنني التحدث إلى شخص حقيقي؟",
    "حولني إلى ممثل خدمة العملاء",
    "لا أريد التحدث مع روبوت",
  ],
  hi: [
    "मुझे किसी इंसान से बात करनी है।",
    "क्या मैं किसी एजेंट से बात कर सकता हूँ?",
    "कृपया मुझे प्रतिनिधि से जोड़ें",
    "मैं किसी व्यक्ति से बात करना चाहता हूँ।",
  ],
  ja: [
    "人間の担当者と話したいです。",
    "オペレーターにつないでください。",
    "担当者に代わってもらえますか。",
    "有人チャットをお願いします",
  ],
  zh: ["我要转人工客服", "请帮我接人工客服", "我想和真人聊", "不想和机器人说话，转人工"],
};

export const asksForHumanSet: readonly Question[] = Object.values(asked).flatMap((questions) =>
  questions.map((question) => ({ set: "human", question, expect: "handoff" }) as const),
);
