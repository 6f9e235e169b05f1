/** The demo shop: its published articles, and questions with what has to be in the answers. */
import { articles as shopArticles } from "@frontdesk/server/demo/articles";
import type { Article, Question } from "../question.ts";

export const demoArticles: readonly Article[] = shopArticles
  .filter(({ draft }) => !draft)
  .map(({ question, answer }) => ({ id: null, question, answer }));

const answered = (question: string, articles: readonly string[], facts: readonly string[]): Question => ({
  ...{ set: "own", expect: "answer", question, articles, facts },
});

const DELIVERY = "How long does delivery take, and what does it cost?";
const OUTSIDE = "Do you ship outside Europe?";
const RETURNS = "How do I return or exchange something?";
const PAYMENT = "Which payment methods do you accept?";
const JACKET = "My rain jacket no longer repels water. What can I do?";
const LAPTOPS = "Which laptops fit in the Heron backpack?";
const CANCEL = "Can I change or cancel my order?";
const GIFTS = "Do you wrap gifts?";
const VERSAND = "Wie lange dauert der Versand, und was kostet er?";
const UMTAUSCH = "Wie kann ich etwas umtauschen oder zurückgeben?";
const LIVRAISON = "Quels sont les délais et les frais de livraison en France ?";
const DEVOLVER = "¿Cómo puedo devolver o cambiar un artículo?";
const BRASIL = "Vocês entregam no Brasil?";
const JAPAN = "日本への送料と配送日数を教えてください";
const CHINESE = "怎么退货或换货？";
const ARABIC = "هل يمكنني إرجاع منتج أو استبداله؟";
const HINDI = "भारत में डिलीवरी में कितना समय लगता है?";
const RUSSIAN = "Как вернуть или обменять товар?";

export const demoQuestions: readonly Question[] = [
  answered("How long does delivery within Germany take?", [DELIVERY, VERSAND], ["two to three"]),
  answered("Do you ship outside Europe, and is import duty included?", [OUTSIDE], ["duty"]),
  answered("Within how many days can I return items I haven't worn outside?", [RETURNS, UMTAUSCH], ["30 days"]),
  answered("When does the refund arrive after you receive my parcel?", [RETURNS], ["five days"]),
  answered("Can I pay with PayPal or Apple Pay?", [PAYMENT], ["PayPal"]),
  answered("At what temperature should I wash my rain jacket without fabric softener?", [JACKET], ["30 °C"]),
  answered("Which laptop models fit in the backpack?", [LAPTOPS], ["15-inch"]),
  answered("Can I cancel my order once the courier has it?", [CANCEL], ["return"]),
  answered("Do you wrap gifts in brown paper with a ribbon?", [GIFTS], ["€3"]),
  answered("Wie lange dauert der Versand innerhalb Deutschlands?", [VERSAND, DELIVERY], ["zwei bis drei"]),
  answered("Schicken Sie mir ein Rücksendeetikett, wenn ich Ihnen die Bestellnummer schreibe?", [UMTAUSCH], []),
  answered("Est-ce que les retours sont gratuits, et pendant combien de jours ?", [LIVRAISON], ["30 jours"]),
  answered("¿Cuántos días tarda en llegar el reembolso?", [DEVOLVER], ["cinco días"]),
  answered("Os impostos de importação estão incluídos no Brasil?", [BRASIL], ["impostos"]),
  answered("日本への送料はいくらですか。関税は含まれていますか。", [JAPAN], ["関税"]),
  answered("退货以后退款几天到账？", [CHINESE], ["五天"]),
  answered("هل يمكنني إرجاع منتج خلال 30 يومًا مجانًا؟", [ARABIC], []),
  answered("भारत में डिलीवरी में कितने दिन लगते हैं, और सीमा शुल्क शामिल है?", [HINDI], []),
  answered("Через сколько дней вернутся деньги после получения посылки?", [RUSSIAN], ["пять дней"]),
  {
    ...answered("Which payment methods can I use when I pay by card?", [PAYMENT], []),
    history: ["How long does delivery within Germany take?"],
  },
  { set: "own", expect: "handoff", question: "Do you rent out canoes for school trips?" },
  { set: "own", expect: "handoff", question: "Kann man bei euch Ski wachsen lassen?" },
];
