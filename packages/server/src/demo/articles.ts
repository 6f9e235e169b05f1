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
      "Within Germany, delivery takes two to three working days and costs €4.90. It's free for orders over €60. To the rest of Europe, it takes four to six days and costs €9.90. Orders placed before 2 pm ship the same day.\n\nYou'll get an email with the tracking number when your parcel is on its way.",
  },
  {
    by: "ada",
    written: on(30, "10:20"),
    question: "Do you ship outside Europe?",
    answer:
      "Yes, almost everywhere. Shipping costs €24 up to 5 kg and takes six to nine days. Import duty isn't included. Your local customs office will charge it.",
  },
  {
    by: "ada",
    written: on(30, "10:40"),
    question: "How do I return or exchange something?",
    answer:
      "You can return items within 30 days, as long as they haven't been worn outside. Send us your order number and we'll send you a free return label. If you'd like a different size or colour instead, let us know and we'll ship it right away.\n\nRefunds arrive about five days after we receive your parcel, by the same payment method you used.",
  },
  {
    by: "grace",
    written: on(29, "16:10"),
    question: "Which payment methods do you accept?",
    answer:
      "Credit and debit cards, PayPal, Apple Pay and bank transfer. Cards are charged when your order ships. If you pay by bank transfer, we reserve your items for seven days until the payment arrives.",
  },
  {
    by: "omar",
    written: on(27, "09:30"),
    question: "My rain jacket no longer repels water. What can I do?",
    answer:
      "The coating needs to be reactivated. Wash the jacket at 30 °C without fabric softener, then tumble dry it on low for twenty minutes or iron it under a cloth. If the coating wears off completely, we'll re-coat it for €12.",
  },
  {
    by: "lin",
    written: on(24, "14:00"),
    question: "Which laptops fit in the Heron backpack?",
    answer:
      "Any laptop up to 38 × 26 cm, which covers most 15-inch models. The sleeve is padded, with a pocket for the charger below it. The fabric is waterproof and the zip nearly so. It's fine for half an hour of rain.",
  },
  {
    by: "grace",
    written: on(22, "11:45"),
    question: "Can I change or cancel my order?",
    answer:
      "Yes, until it's packed. Just send us your order number. Once the courier has it, the easiest option is to return it.",
  },
  {
    by: "lin",
    written: on(19, "15:25"),
    question: "Do you wrap gifts?",
    answer:
      "Yes! For €3 we wrap it in brown paper with a linen ribbon and add a handwritten card. Select “It's a gift” in the basket. We'll then send the invoice only to you.",
  },
  {
    by: "ada",
    written: on(9, "17:50"),
    question: "Do you print logos on bags for companies?",
    answer: "Yes, from 100 pieces. To do: ask the printer for the new prices, add a photo.",
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
