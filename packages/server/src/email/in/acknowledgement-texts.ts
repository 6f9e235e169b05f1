import type { WidgetLanguage } from "@frontdesk/core/domain/widget-settings";

/** The automatic reply to an email that begins a conversation, in each language: fixed, so that it carries no words of its sender. */
interface AcknowledgementTexts {
  subject: string;
  text: string;
}

export const acknowledgementTexts: Record<WidgetLanguage, AcknowledgementTexts> = {
  ar: {
    subject: "وصلتنا رسالتك",
    text: "شكرًا على رسالتك. لقد وصلتنا، وسنرد عليك في أقرب وقت ممكن.",
  },
  de: {
    subject: "Ihre E-Mail ist angekommen",
    text: "Vielen Dank für Ihre E-Mail. Sie ist bei uns angekommen, und wir melden uns so bald wie möglich.",
  },
  en: {
    subject: "We've received your email",
    text: "Thank you for your email. We've received it and will get back to you as soon as we can.",
  },
  es: {
    subject: "Hemos recibido tu correo",
    text: "Gracias por tu correo. Lo hemos recibido y te responderemos lo antes posible.",
  },
  fr: {
    subject: "Nous avons bien reçu votre e-mail",
    text: "Merci pour votre e-mail. Nous l’avons bien reçu et vous répondrons dès que possible.",
  },
  hi: {
    subject: "आपका ईमेल हमें मिल गया है",
    text: "आपके ईमेल के लिए धन्यवाद। वह हमें मिल गया है और हम जल्द से जल्द आपको जवाब देंगे।",
  },
  ja: {
    subject: "メールを受け取りました",
    text: "メールをお送りいただきありがとうございます。確かに受け取りました。できるだけ早くご返信いたします。",
  },
  "pt-BR": {
    subject: "Recebemos seu e-mail",
    text: "Obrigado pelo seu e-mail. Nós o recebemos e responderemos assim que possível.",
  },
  ru: {
    subject: "Мы получили ваше письмо",
    text: "Спасибо за ваше письмо. Мы его получили и ответим как можно скорее.",
  },
  "zh-CN": {
    subject: "我们已收到您的邮件",
    text: "感谢您的来信。我们已收到您的邮件，会尽快回复您。",
  },
};
