import type { AgentName, Start } from "./script.ts";
import { on } from "./script.ts";

/** A question of the demo shop's knowledge base, with its answer. */
export interface DemoArticle {
  by: AgentName;
  written: Start;
  question: string;
  answer: string;
  /** Whether it is a draft. */
  draft?: true;
}

export const articles: readonly DemoArticle[] = [
  {
    by: "ada",
    written: on(30, "10:05"),
    question: "How long does delivery take, and what does it cost?",
    answer:
      "Within Germany two to three working days for 4.90 €, free from 60 €. To the rest of Europe four to six days for 9.90 €. What is ordered before two in the afternoon leaves the same day.\n\nYou get an e-mail with the tracking number when the parcel is on its way.",
  },
  {
    by: "ada",
    written: on(30, "10:20"),
    question: "Do you ship outside Europe?",
    answer:
      "Yes, almost everywhere: 24 € up to 5 kg, and it takes six to nine days. Import duty is not included; the customs of your country ask you for it.",
  },
  {
    by: "ada",
    written: on(30, "10:40"),
    question: "How do I return or exchange something?",
    answer:
      "You have 30 days, as long as it has not been worn outside. Write to us with your order number and we send you a return label, free of charge. Tell us if you would rather have another size or colour: then that one leaves at once.\n\nA refund is with you about five days after the parcel is back here, on the same way that you paid.",
  },
  {
    by: "grace",
    written: on(29, "16:10"),
    question: "What can I pay with?",
    answer:
      "Credit and debit cards, PayPal, Apple Pay and bank transfer. A card is charged when the parcel leaves. With a bank transfer we keep your things for seven days until the money has arrived.",
  },
  {
    by: "omar",
    written: on(27, "09:30"),
    question: "Water does not run off my rain jacket any more. What can I do?",
    answer:
      "That is the coating, and it can be woken up: wash the jacket at 30 °C without fabric softener, then twenty minutes in the dryer on low, or iron it under a cloth. If it fades for good, we re-coat it for 12 €.",
  },
  {
    by: "lin",
    written: on(24, "14:00"),
    question: "Which laptop fits into the Heron backpack?",
    answer:
      "Any up to 38 × 26 cm, which is most with 15 inches. The sleeve is padded, and the charger has a pocket below it. The fabric is waterproof, the zip nearly so: fine for half an hour of rain.",
  },
  {
    by: "grace",
    written: on(22, "11:45"),
    question: "Can I change or cancel my order?",
    answer:
      "Until it is packed, yes: just write to us with the order number. Afterwards the courier has it, and the easiest way is to send it back.",
  },
  {
    by: "lin",
    written: on(19, "15:25"),
    question: "Do you wrap gifts?",
    answer:
      "With pleasure, for 3 €: brown paper, a linen ribbon, and a card in our handwriting. Choose “It is a present” in the basket. The invoice then goes to you alone.",
  },
  {
    by: "ada",
    written: on(9, "17:50"),
    question: "Do you print logos on bags for companies?",
    answer: "From 100 pieces on. To do: ask the printer for the new prices, add a picture.",
    draft: true,
  },
  {
    by: "grace",
    written: on(28, "09:15"),
    question: "Wie lange dauert der Versand, und was kostet er?",
    answer:
      "Innerhalb Deutschlands zwei bis drei Werktage für 4,90 €, ab 60 € kostenlos. Was bis 14 Uhr bestellt ist, geht am selben Tag hinaus. Die Sendungsnummer kommt per E-Mail.",
  },
  {
    by: "grace",
    written: on(28, "09:40"),
    question: "Wie kann ich etwas umtauschen oder zurückgeben?",
    answer:
      "30 Tage lang und kostenlos, solange es nicht draußen getragen wurde. Schreiben Sie uns mit der Bestellnummer, dann schicken wir Ihnen ein Rücksendeetikett. Das Geld ist etwa fünf Tage nach dem Eintreffen der Ware zurück.",
  },
  {
    by: "lin",
    written: on(26, "13:10"),
    question: "Quels sont les délais et les frais de livraison en France ?",
    answer:
      "Quatre à six jours pour 9,90 €. Vous recevez le numéro de suivi par e-mail dès que le colis est parti. Les retours sont gratuits pendant 30 jours.",
  },
  {
    by: "omar",
    written: on(25, "18:30"),
    question: "¿Cómo puedo devolver o cambiar un artículo?",
    answer:
      "Tiene 30 días, y es gratis: escríbanos con el número de pedido y le mandamos la etiqueta de devolución. El reembolso llega unos cinco días después.",
  },
  {
    by: "omar",
    written: on(25, "18:45"),
    question: "Vocês entregam no Brasil?",
    answer:
      "Sim: 24 € até 5 kg, em seis a nove dias. Os impostos de importação não estão incluídos. Enviamos o código de rastreamento por e-mail.",
  },
  {
    by: "lin",
    written: on(23, "08:20"),
    question: "日本への送料と配送日数を教えてください",
    answer: "5kgまで24ユーロで、6〜9日でお届けします。関税は含まれていません。発送後に追跡番号をメールでお送りします。",
  },
  {
    by: "lin",
    written: on(23, "08:50"),
    question: "怎么退货或换货？",
    answer: "收到商品后30天内可以免费退换。请把订单号发给我们，我们会寄给您退货标签。退款大约在收到包裹后五天到账。",
  },
  {
    by: "omar",
    written: on(21, "12:15"),
    question: "هل يمكنني إرجاع منتج أو استبداله؟",
    answer:
      "نعم، خلال ٣٠ يومًا ومجانًا. اكتب إلينا مع رقم الطلب ونرسل إليك ملصق الإرجاع. يصلك المبلغ بعد نحو خمسة أيام من وصول الطرد إلينا.",
  },
  {
    by: "lin",
    written: on(20, "10:35"),
    question: "भारत में डिलीवरी में कितना समय लगता है?",
    answer: "छह से नौ दिन, और 5 किलो तक 24 यूरो। सीमा शुल्क इसमें शामिल नहीं है। पार्सल निकलते ही हम ट्रैकिंग नंबर ईमेल करते हैं।",
  },
  {
    by: "grace",
    written: on(18, "16:05"),
    question: "Как вернуть или обменять товар?",
    answer:
      "В течение 30 дней и бесплатно. Напишите нам номер заказа, и мы пришлём этикетку для возврата. Деньги вернутся примерно через пять дней после получения посылки.",
  },
];
