/** What visitors read from the AI that no model has written: the handoff, its first line, its thanks, and what it cannot read. */

import { bestWidgetLanguage, type WidgetLanguage } from "../widget-settings.ts";

export const handoffSituations = ["online", "closed", "nobody-online"] as const;
export type HandoffSituation = (typeof handoffSituations)[number];

export interface HandoffOccasion {
  /** BCP 47; the nearest of the widget's languages is taken. */
  language: string;
  situation: HandoffSituation;
  /**
   * When closed: the next opening, told in the visitor's time zone. `at` and `now` are ms since the epoch, `locale` is the
   * visitor's for the form of times. Null: it is unknown.
   */
  opening: { at: number; now: number; timezone: string; locale?: string } | null;
  /** Whether the visitor is asked for an email address: none is known, and they were not asked before. */
  asksForEmail: boolean;
}

interface Texts {
  online: string;
  closed: string;
  /** `{day}` is today or tomorrow. */
  opensSoon: string;
  /** `{day}` is a day of the week or a date. */
  opensOn: string;
  noOneOnline: string;
  /** After "closed" and "no one online": where the answer comes. */
  email: string;
  here: string;
  firstLine: string;
  helped: string;
  /** Under an answer to a message with files. */
  unreadFiles: string;
}

const texts: Readonly<Record<WidgetLanguage, Texts>> = {
  en: {
    online: "I’ve passed this on to our team. Someone will be with you shortly.",
    closed: "I’ve passed this on to our team. We’re closed right now.",
    opensSoon: "I’ve passed this on to our team. We’re closed right now and open again {day} at {time}.",
    opensOn: "I’ve passed this on to our team. We’re closed right now and open again on {day} at {time}.",
    noOneOnline: "I’ve passed this on to our team. No one is online right now.",
    email: "Leave your email address here, and the answer will reach you even if you close this page.",
    here: "You’ll find the answer here in this chat.",
    firstLine: "I’m {name}, an AI assistant. You can ask for a person at any time.",
    helped: "Glad I could help!",
    unreadFiles: "I can’t open files, so I haven’t seen what you attached. A person on our team can.",
  },
  de: {
    online: "Ich habe Ihre Frage an unser Team weitergegeben. Gleich ist jemand für Sie da.",
    closed: "Ich habe Ihre Frage an unser Team weitergegeben. Im Moment haben wir geschlossen.",
    opensSoon:
      "Ich habe Ihre Frage an unser Team weitergegeben. Im Moment haben wir geschlossen, {day} ab {time} sind wir wieder da.",
    opensOn:
      "Ich habe Ihre Frage an unser Team weitergegeben. Im Moment haben wir geschlossen, am {day} ab {time} sind wir wieder da.",
    noOneOnline: "Ich habe Ihre Frage an unser Team weitergegeben. Im Moment ist niemand online.",
    email:
      "Schreiben Sie uns hier Ihre E-Mail-Adresse, dann erreicht Sie die Antwort auch, wenn Sie diese Seite schließen.",
    here: "Die Antwort finden Sie hier im Chat.",
    firstLine: "Ich bin {name}, ein KI-Assistent. Sie können jederzeit nach einem Menschen fragen.",
    helped: "Schön, dass ich helfen konnte!",
    unreadFiles:
      "Dateien kann ich nicht öffnen; Ihren Anhang habe ich also nicht gesehen. Ein Mensch aus unserem Team kann das.",
  },
  es: {
    online: "He pasado tu consulta a nuestro equipo. Enseguida te atiende una persona.",
    closed: "He pasado tu consulta a nuestro equipo. Ahora mismo está cerrado.",
    opensSoon: "He pasado tu consulta a nuestro equipo. Ahora mismo está cerrado; volvemos {day} a las {time}.",
    opensOn: "He pasado tu consulta a nuestro equipo. Ahora mismo está cerrado; volvemos el {day} a las {time}.",
    noOneOnline: "He pasado tu consulta a nuestro equipo. Ahora mismo no hay nadie conectado.",
    email: "Déjanos aquí tu correo electrónico y recibirás la respuesta aunque cierres esta página.",
    here: "Encontrarás la respuesta aquí, en este chat.",
    firstLine: "Soy {name}, un asistente de IA. Puedes pedir hablar con una persona en cualquier momento.",
    helped: "¡Me alegro de haberte ayudado!",
    unreadFiles:
      "No puedo abrir archivos, así que no he visto lo que has adjuntado. Una persona de nuestro equipo sí puede.",
  },
  fr: {
    online: "J’ai transmis votre demande à notre équipe. Quelqu’un va vous répondre dans un instant.",
    closed: "J’ai transmis votre demande à notre équipe. Nous sommes fermés pour le moment.",
    opensSoon:
      "J’ai transmis votre demande à notre équipe. Nous sommes fermés pour le moment et de retour {day} à {time}.",
    opensOn:
      "J’ai transmis votre demande à notre équipe. Nous sommes fermés pour le moment et de retour le {day} à {time}.",
    noOneOnline: "J’ai transmis votre demande à notre équipe. Personne n’est en ligne pour le moment.",
    email: "Laissez-nous ici votre adresse e-mail : vous recevrez la réponse même si vous fermez cette page.",
    here: "Vous trouverez la réponse ici, dans ce chat.",
    firstLine: "Je suis {name}, un assistant IA. Vous pouvez demander à parler à une personne à tout moment.",
    helped: "Ravi d’avoir pu vous aider !",
    unreadFiles:
      "Je ne peux pas ouvrir de fichiers : je n’ai donc pas vu votre pièce jointe. Une personne de notre équipe le peut.",
  },
  "pt-BR": {
    online: "Passei sua pergunta para a nossa equipe. Alguém já vai falar com você.",
    closed: "Passei sua pergunta para a nossa equipe. No momento estamos fechados.",
    opensSoon: "Passei sua pergunta para a nossa equipe. No momento estamos fechados e voltamos {day} às {time}.",
    opensOn: "Passei sua pergunta para a nossa equipe. No momento estamos fechados. Voltamos: {day}, às {time}.",
    noOneOnline: "Passei sua pergunta para a nossa equipe. No momento não há ninguém online.",
    email: "Deixe seu e-mail aqui e você receberá a resposta mesmo se fechar esta página.",
    here: "Você encontrará a resposta aqui neste chat.",
    firstLine: "Sou {name}, um assistente de IA. Você pode pedir para falar com uma pessoa a qualquer momento.",
    helped: "Que bom que pude ajudar!",
    unreadFiles: "Não consigo abrir arquivos, então não vi o que você anexou. Uma pessoa da nossa equipe consegue.",
  },
  ru: {
    online: "Я передал ваш вопрос нашей команде. Вам скоро ответят.",
    closed: "Я передал ваш вопрос нашей команде. Сейчас мы не работаем.",
    opensSoon: "Я передал ваш вопрос нашей команде. Сейчас мы не работаем, вернёмся {day} в {time}.",
    opensOn: "Я передал ваш вопрос нашей команде. Сейчас мы не работаем. Вернёмся: {day}, {time}.",
    noOneOnline: "Я передал ваш вопрос нашей команде. Сейчас никого нет на связи.",
    email: "Оставьте здесь свою почту, и ответ придёт, даже если вы закроете эту страницу.",
    here: "Ответ появится здесь, в этом чате.",
    firstLine: "Я {name}, ИИ-ассистент. Вы можете в любой момент попросить соединить вас с человеком.",
    helped: "Рад, что смог помочь!",
    unreadFiles:
      "Я не могу открывать файлы, поэтому не видел вашего вложения. Это может сделать человек из нашей команды.",
  },
  ar: {
    online: "أحلت سؤالك إلى فريقنا، وسيكون أحدنا معك بعد قليل.",
    closed: "أحلت سؤالك إلى فريقنا. نحن خارج أوقات العمل الآن.",
    opensSoon: "أحلت سؤالك إلى فريقنا. نحن خارج أوقات العمل الآن، وسنعود {day} الساعة {time}.",
    opensOn: "أحلت سؤالك إلى فريقنا. نحن خارج أوقات العمل الآن، وسنعود يوم {day} الساعة {time}.",
    noOneOnline: "أحلت سؤالك إلى فريقنا. لا أحد متصل الآن.",
    email: "اترك بريدك الإلكتروني هنا ليصلك الرد حتى إذا أغلقت هذه الصفحة.",
    here: "ستجد الرد هنا في هذه المحادثة.",
    firstLine: "أنا {name}، مساعد يعمل بالذكاء الاصطناعي. يمكنك طلب التحدث إلى شخص في أي وقت.",
    helped: "سعدت بمساعدتك!",
    unreadFiles: "لا يمكنني فتح الملفات، لذا لم أطّلع على ما أرفقته. يمكن لأحد أفراد فريقنا ذلك.",
  },
  hi: {
    online: "मैंने आपका सवाल हमारी टीम तक पहुँचा दिया है। जल्द ही कोई आपसे बात करेगा।",
    closed: "मैंने आपका सवाल हमारी टीम तक पहुँचा दिया है। अभी हमारा कार्यालय बंद है।",
    opensSoon: "मैंने आपका सवाल हमारी टीम तक पहुँचा दिया है। अभी हमारा कार्यालय बंद है, हम {day} {time} पर लौटेंगे।",
    opensOn: "मैंने आपका सवाल हमारी टीम तक पहुँचा दिया है। अभी हमारा कार्यालय बंद है, हम {day} को {time} पर लौटेंगे।",
    noOneOnline: "मैंने आपका सवाल हमारी टीम तक पहुँचा दिया है। अभी कोई ऑनलाइन नहीं है।",
    email: "अपना ईमेल पता यहाँ छोड़ दें, ताकि यह पेज बंद करने पर भी जवाब आप तक पहुँचे।",
    here: "जवाब आपको यहीं इस चैट में मिलेगा।",
    firstLine: "मैं {name} हूँ, एक एआई सहायक। आप कभी भी किसी व्यक्ति से बात करने के लिए कह सकते हैं।",
    helped: "खुशी है कि मैं मदद कर सका!",
    unreadFiles: "मैं फ़ाइलें नहीं खोल सकता, इसलिए आपने जो भेजा है उसे मैंने नहीं देखा। हमारी टीम का कोई व्यक्ति उसे देख सकता है।",
  },
  ja: {
    online: "ご質問を担当チームに引き継ぎました。まもなく担当者が対応いたします。",
    closed: "ご質問を担当チームに引き継ぎました。ただいま営業時間外です。",
    opensSoon: "ご質問を担当チームに引き継ぎました。ただいま営業時間外です。{day}の{time}に再開します。",
    opensOn: "ご質問を担当チームに引き継ぎました。ただいま営業時間外です。{day}の{time}に再開します。",
    noOneOnline: "ご質問を担当チームに引き継ぎました。ただいま担当者が不在です。",
    email: "メールアドレスをご入力いただくと、このページを閉じても回答が届きます。",
    here: "回答はこのチャットに表示されます。",
    firstLine: "AIアシスタントの{name}です。いつでも担当者との会話をご希望いただけます。",
    helped: "お役に立ててうれしいです！",
    unreadFiles: "ファイルを開くことができないため、添付内容は確認しておりません。担当者であれば確認できます。",
  },
  "zh-CN": {
    online: "我已将您的问题转给我们的团队，很快会有人为您服务。",
    closed: "我已将您的问题转给我们的团队。现在是非工作时间。",
    opensSoon: "我已将您的问题转给我们的团队。现在是非工作时间，我们{day} {time} 恢复服务。",
    opensOn: "我已将您的问题转给我们的团队。现在是非工作时间，我们{day} {time} 恢复服务。",
    noOneOnline: "我已将您的问题转给我们的团队。目前没有人在线。",
    email: "请在这里留下您的邮箱，即使关闭此页面也能收到回复。",
    here: "您可以在此聊天中看到回复。",
    firstLine: "我是 {name}，一名 AI 助手。您可以随时要求与真人交谈。",
    helped: "很高兴能帮到您！",
    unreadFiles: "我无法打开文件，因此没有查看您发送的附件。我们团队的同事可以查看。",
  },
};

/** The words of a handoff, in one message. */
export function handoffText({ language, situation, opening, asksForEmail }: HandoffOccasion): string {
  const spoken = bestWidgetLanguage([language]);
  const own = texts[spoken];
  switch (situation) {
    case "online":
      return own.online;
    case "closed":
      return joined(
        spoken,
        opening === null ? own.closed : openingText(spoken, opening),
        asksForEmail ? own.email : own.here,
      );
    case "nobody-online":
      return joined(spoken, own.noOneOnline, asksForEmail ? own.email : own.here);
    default:
      return situation satisfies never;
  }
}

/** What the AI says of itself before anything else: that it is one, and that a person can be asked for. */
export const firstLineText = (language: string, name: string): string =>
  texts[bestWidgetLanguage([language])].firstLine.replace("{name}", () => name);

/** Between the first line and what follows it. */
export const AFTER_FIRST_LINE = "\n\n";
const firstLines = Object.values(texts).map(({ firstLine }) => firstLine.split("{name}") as [string, string]);

/** A message of the AI without its first line, in any language and with any name. */
export function withoutFirstLine(content: string): string {
  const end = content.indexOf(AFTER_FIRST_LINE);
  const line = content.slice(0, Math.max(end, 0));
  const isFirstLine = firstLines.some(([before, after]) => line.startsWith(before) && line.endsWith(after));
  return isFirstLine ? content.slice(end + AFTER_FIRST_LINE.length) : content;
}

/** Its reply to "That helped". */
export const helpedText = (language: string): string => texts[bestWidgetLanguage([language])].helped;

/** That it has not seen the files which came with the question. */
export const unreadFilesText = (language: string): string => texts[bestWidgetLanguage([language])].unreadFiles;

const joined = (language: WidgetLanguage, one: string, other: string): string =>
  language === "ja" || language === "zh-CN" ? one + other : `${one} ${other}`;

const DAYS_OF_WEEK_MAX = 6;

function openingText(
  language: WidgetLanguage,
  { at, now, timezone, locale }: NonNullable<HandoffOccasion["opening"]>,
): string {
  const written = locale !== undefined && bestWidgetLanguage([locale]) === language ? locale : language;
  const zoned = (time: number) => Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timezone);
  const days = zoned(now).toPlainDate().until(zoned(at).toPlainDate()).total("days");
  const time = zoned(at).toLocaleString(written, { hour: "numeric", minute: "2-digit" });
  const isSoon = days <= 1;
  const day = isSoon
    ? new Intl.RelativeTimeFormat(written, { numeric: "auto" }).format(days, "day")
    : zoned(at).toLocaleString(
        written,
        days <= DAYS_OF_WEEK_MAX ? { weekday: "long" } : { weekday: "long", day: "numeric", month: "long" },
      );
  const text = isSoon ? texts[language].opensSoon : texts[language].opensOn;
  return text.replace("{day}", () => day).replace("{time}", () => time);
}
