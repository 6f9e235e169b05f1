import type { WidgetLanguage } from "@frontdesk/core/domain/widget-settings";

/** The texts around the replies that are mailed to a visitor, in each of the widget's languages. */
export interface RepliesMailTexts {
  /** Beside the name of the AI. */
  ai: string;
  subject(team: string): string;
  intro(team: string): string;
  /** The link to the last page they visited. */
  backToChat: string;
  /** Without such a page. */
  openChat: string;
  /** Where answers to the mail get lost. */
  answerThere: string;
  /** Where they come into the chat. */
  answerHere: string;
  why(team: string): string;
}

export const repliesMailTexts: Record<WidgetLanguage, RepliesMailTexts> = {
  ar: {
    ai: "ذكاء اصطناعي",
    subject: (team) => `رسالة جديدة من ${team}`,
    intro: (team) => `كتب إليك فريق ${team} في غيابك:`,
    backToChat: "العودة إلى الدردشة",
    openChat: "للرد، افتح الدردشة على موقعنا.",
    answerThere: "يُرجى الرد في الدردشة، فقد لا تصلنا الردود على هذه الرسالة.",
    answerHere: "يمكنك أيضًا الرد على هذه الرسالة مباشرةً.",
    why: (team) => `وصلتك هذه الرسالة لأن هذا العنوان أُدخل في الدردشة مع ${team}. إن لم تكن أنت من أدخله، فتجاهلها.`,
  },
  de: {
    ai: "KI",
    subject: (team) => `Neue Nachricht von ${team}`,
    intro: (team) => `Während Sie weg waren, hat ${team} Ihnen geschrieben:`,
    backToChat: "Zurück zum Chat",
    openChat: "Um zu antworten, öffnen Sie den Chat auf unserer Website.",
    answerThere: "Bitte antworten Sie im Chat. Antworten auf diese E-Mail erreichen uns möglicherweise nicht.",
    answerHere: "Sie können auch einfach auf diese E-Mail antworten.",
    why: (team) =>
      `Sie erhalten diese E-Mail, weil diese Adresse im Chat mit ${team} angegeben wurde. Wenn Sie das nicht waren, können Sie sie ignorieren.`,
  },
  en: {
    ai: "AI",
    subject: (team) => `New message from ${team}`,
    intro: (team) => `While you were away, ${team} wrote to you:`,
    backToChat: "Back to the chat",
    openChat: "To reply, open the chat on our website.",
    answerThere: "Please reply in the chat. We may not receive replies to this email.",
    answerHere: "You can also just reply to this email.",
    why: (team) =>
      `You're receiving this email because this address was entered in a chat with ${team}. If that wasn't you, you can ignore it.`,
  },
  es: {
    ai: "IA",
    subject: (team) => `Nuevo mensaje de ${team}`,
    intro: (team) => `Mientras no estabas, ${team} te ha escrito:`,
    backToChat: "Volver al chat",
    openChat: "Para responder, abre el chat en nuestro sitio web.",
    answerThere: "Responde en el chat. Es posible que no recibamos las respuestas a este correo.",
    answerHere: "También puedes responder a este correo.",
    why: (team) =>
      `Recibes este correo porque alguien dejó esta dirección en el chat con ${team}. Si no fuiste tú, puedes ignorarlo.`,
  },
  fr: {
    ai: "IA",
    subject: (team) => `Nouveau message de ${team}`,
    intro: (team) => `Pendant votre absence, ${team} vous a écrit :`,
    backToChat: "Revenir au chat",
    openChat: "Pour répondre, ouvrez le chat sur notre site.",
    answerThere: "Merci de répondre dans le chat. Les réponses à cet e-mail pourraient ne pas nous parvenir.",
    answerHere: "Vous pouvez aussi répondre directement à cet e-mail.",
    why: (team) =>
      `Vous recevez cet e-mail car cette adresse a été laissée dans le chat avec ${team}. Si ce n’était pas vous, vous pouvez l’ignorer.`,
  },
  hi: {
    ai: "AI",
    subject: (team) => `${team} की ओर से नया संदेश`,
    intro: (team) => `जब आप यहाँ नहीं थे, ${team} ने आपको लिखा:`,
    backToChat: "चैट पर वापस जाएँ",
    openChat: "जवाब देने के लिए हमारी वेबसाइट पर चैट खोलें।",
    answerThere: "कृपया चैट में जवाब दें: इस ईमेल के जवाब शायद हम तक न पहुँचें।",
    answerHere: "आप सीधे इस ईमेल का जवाब भी दे सकते हैं।",
    why: (team) =>
      `आपको यह ईमेल इसलिए मिला क्योंकि ${team} के साथ चैट में यह पता दिया गया था। अगर वह आप नहीं थे, तो इसे अनदेखा करें।`,
  },
  ja: {
    ai: "AI",
    subject: (team) => `${team}から新しいメッセージがあります`,
    intro: (team) => `ご不在の間に、${team}からメッセージが届きました。`,
    backToChat: "チャットに戻る",
    openChat: "返信するには、当サイトでチャットを開いてください。",
    answerThere: "返信はチャットでお願いします。このメールへの返信は届かないことがあります。",
    answerHere: "このメールにそのまま返信することもできます。",
    why: (team) =>
      `このメールは、${team}とのチャットでこのアドレスが入力されたためお送りしています。お心当たりがない場合は、無視してください。`,
  },
  "pt-BR": {
    ai: "IA",
    subject: (team) => `Nova mensagem de ${team}`,
    intro: (team) => `Enquanto você estava fora, ${team} escreveu para você:`,
    backToChat: "Voltar ao chat",
    openChat: "Para responder, abra o chat no nosso site.",
    answerThere: "Responda pelo chat: respostas a este e-mail podem não chegar até nós.",
    answerHere: "Você também pode simplesmente responder a este e-mail.",
    why: (team) =>
      `Você recebeu este e-mail porque este endereço foi informado no chat com ${team}. Se não foi você, ignore-o.`,
  },
  ru: {
    ai: "ИИ",
    subject: (team) => `Новое сообщение от команды ${team}`,
    intro: (team) => `Пока вас не было, вам написала команда ${team}:`,
    backToChat: "Вернуться в чат",
    openChat: "Чтобы ответить, откройте чат на нашем сайте.",
    answerThere: "Пожалуйста, отвечайте в чате: ответы на это письмо могут до нас не дойти.",
    answerHere: "Вы также можете просто ответить на это письмо.",
    why: (team) =>
      `Вы получили это письмо, потому что этот адрес был указан в чате с командой ${team}. Если это были не вы, просто проигнорируйте письмо.`,
  },
  "zh-CN": {
    ai: "AI",
    subject: (team) => `${team} 给您发来新消息`,
    intro: (team) => `您离开期间，${team} 给您留了言：`,
    backToChat: "返回聊天",
    openChat: "如需回复，请在我们的网站上打开聊天。",
    answerThere: "请在聊天中回复：回复此邮件可能无法送达我们。",
    answerHere: "您也可以直接回复此邮件。",
    why: (team) => `您收到此邮件，是因为有人在与 ${team} 的聊天中留下了此地址。如果不是您本人，请忽略。`,
  },
};
