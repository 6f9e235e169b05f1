/**
 * Sentences that promise work after the conversation: "I'll get back to you". The AI does nothing later, so such a sentence is
 * never said (docs/decisions/0077-checked-answers.md). What happens by itself may be told: "You will get an email".
 */

import { foldLetters } from "../folded-letters.ts";

/** Who acts later, and what they do; folded, by language. `~` stands for a few words between. */
const PROMISES: readonly string[] = [
  // English
  "(?:i|we|they|he|she|somebody|someone|one of (?:us|our \\w+)|(?:my|our|the) (?:\\w+ ){0,2}(?:team|colleagues?|agents?|support|staff|specialists?|experts?|manager|department|office))(?:'ll| will| am going to|'m going to| are going to|'re going to| shall| is going to)~(?:get back|come back|get in touch|be in touch|reach out|contact|call|ring|phone|text|e?-?mail|write|reply|respond|answer|follow up|refund|reimburse|credit|process|send|resend|ship|dispatch|forward|pass|escalate|look (?:into|at)|investigate|check|review|arrange|schedule|book|cancel|update|change|fix|notify|inform|remind|let you know|keep you|make sure|take care|handle|sort|open a|create a|submit|transfer|get this|have it|help you (?:later|soon|shortly))",
  "(?:i am|i'm|we are|we're) (?:now |currently |already )?(?:processing|looking into|checking|forwarding|sending|escalating|arranging|cancel+ing|refunding|issuing)",
  "let me (?:check|look|find out|ask|get back|see|verify)",
  "(?:expect|wait for) (?:a|our|my) (?:call|reply|response|e?-?mail|answer)",
  "(?:i|we) (?:have|'ve)~(?:forwarded|escalated|cancel+ed|refunded|processed|notified|submitted|arranged|opened a ticket|created a ticket|passed)",
  "you(?: will|'ll) hear (?:back )?from",
  "give (?:me|us) (?:a|one|some) (?:moment|minute|second|time|few)",
  // German
  "(?:ich|wir|team|kollegen?|kollegin|mitarbeiter(?:in)?|support|kundenservice|jemand) (?:werden?|wird)~(?:melden|kontaktier|anruf|zuruckruf|antworten|schreib|mail|erstatt|send|schick|weiterleit|weitergeb|prufen|uberpruf|kummer|erledig|bearbeit|stornier|informier|benachrichtig|bescheid|veranlass|klaren|nachfrag|nachschau|umgehend)",
  "werden? (?:ich|wir)~(?:melden|kontaktier|anruf|zuruckruf|antworten|erstatt|send|schick|weiterleit|prufen|kummer|bearbeit|informier|bescheid)",
  "(?:ich|wir) melden? (?:mich|uns)|melden? (?:wir uns|ich mich)|meldet sich~bei (?:ihnen|dir)|(?:ich|wir) (?:kummern?|leiten?|geben?) (?:mich|uns|das|dies|es|ihre?n?|deine?n?)~(?:darum|weiter|bescheid)|kummere mich|kummern uns|(?:ich|wir) (?:prufen?|klaren?|erledigen?) das|(?:ich|wir) rufen? (?:sie|dich)~(?:an|zuruck)|(?:ich|wir) (?:erstatten?|senden?|schicken?) (?:ihnen|dir)|geben? (?:ihnen|dir) bescheid|leite (?:das|dies|es|ihr)|einen moment bitte",
  // French
  "(?:je|j'|nous|on|quelqu'un|(?:notre|l') ?equipe|(?:un|nos|notre) (?:\\w+ )?(?:conseillers?|collegues?|agents?|techniciens?|service \\w+))~(?:vous |te |le |la |l'|lui )*(?:contacter(?:ai|ons|a|ont)|recontacter(?:ai|ons|a|ont)|rappeler(?:ai|ons|a|ont)|appeller?er(?:ai|ons|a|ont)|appeler(?:ai|ons|a|ont)|repondr(?:ai|ons|a|ont)|rembourser(?:ai|ons|a|ont)|enverr(?:ai|ons|a|ont)|reviendr(?:ai|ons|a|ont)|tiendr(?:ai|ons|a|ont)|transmettr(?:ai|ons|a|ont)|verifier(?:ai|ons|a|ont)|traiter(?:ai|ons|a|ont)|informer(?:ai|ons|a|ont)|occuper(?:ai|ons|a|ont)|annuler(?:ai|ons|a|ont)|ecrir(?:ai|ons|a|ont))",
  "(?:je vais|nous allons|on va|equipe va|conseiller va|je viens de)~(?:contacter|recontacter|rappeler|appeler|repondre|rembourser|envoyer|revenir|transmettre|verifier|traiter|informer|occuper|annuler|regarder|demander|tenir)",
  "je (?:reviens vers|m'en occupe|transmets|verifie|vous rappelle)|nous (?:revenons vers|vous recontactons|nous en occupons|transmettons)|un instant,? (?:je|s'il)",
  // Spanish
  "(?:me|nos|se) (?:pondre(?:mos)?|pondra|pondran) en contacto|(?:te|le|les|os|lo|la) (?:contactare(?:mos)?|contactara|contactaran|llamare(?:mos)?|llamara|llamaran|respondere(?:mos)?|respondera|escribire(?:mos)?|escribira|reembolsare(?:mos)?|enviare(?:mos)?|enviara|avisare(?:mos)?|avisara|informare(?:mos)?|devolvere(?:mos)?|mantendre(?:mos)?|ayudara|atendera)|(?:reembolsaremos|enviaremos|revisaremos|revisare|comprobare|verificare|verificaremos|tramitaremos|procesaremos|gestionaremos|cancelaremos|transmitire|reenviare|me encargare|nos encargaremos)",
  "(?:voy|vamos|va) a~(?:contactar|llamar|responder|escribir|reembolsar|enviar|avisar|informar|revisar|comprobar|verificar|tramitar|gestionar|cancelar|consultar|pasar)|me encargo|un momento,? (?:por favor|voy)|dejame (?:ver|revisar|comprobar)|dame un (?:momento|minuto)",
  // Portuguese
  "(?:vou|vamos|ira|irei|iremos|vai|vao)~(?:contat|entrar em contato|entrar em contacto|ligar|responder|escrever|reembols|enviar|avis|inform|verific|process|cancel|encaminh|resolver|consult|retorn|providenci|repass)|(?:entraremos|entrarei|entrara|entrarao) em conta(?:to|cto)|(?:retornaremos|retornarei|responderemos|responderei|reembolsaremos|enviaremos|enviarei|avisaremos|avisarei|verificaremos|verificarei|processaremos|ligaremos|ligarei|encaminharei|encaminharemos|cuidaremos|cuidarei)|so um (?:momento|instante)|deixe-me verificar",
  // Russian
  "(?:^|[^\\p{L}])(?:свяжусь|свяжемся|свяжется|свяжутся|перезвоню|перезвоним|перезвонит|позвоню|позвоним|позвонит|отвечу|ответим вам|ответит вам|напишу|напишем|напишет|верну(?:сь)? (?:к вам|вам|деньги|с)|вернемся|вернем|верн[её]м|вышлю|вышлем|отправлю|отправим|проверю|проверим|уточню|уточним|передам|передадим|сообщу|сообщим|разберусь|разберемся|займусь|займ[её]мся|оформлю|оформим|отменю|отменим|возместим|решу ваш|решим ваш|уведомим|уведомлю)(?:[^\\p{L}]|$)",
  "подождите (?:минут|немного|секунд)|(?:буду|будем) держать",
  // Arabic
  "(?:سوف |^|[\\s\\p{P}و])(?:سأ|سن|سوف ن|سوف أ|سوف ا|سا)(?:تواصل|تصل|عود|رد |رد$|رسل|عيد|رد\\p{L}* (?:لك|المبلغ)|تحقق|خبر|بلغ|قوم|تابع|حول|راجع|عالج|لغي|وافي|كتب)",
  "(?:سيتواصل|سيتصل|سيرد|سيعود|سيقوم|سيراسل|سيتابع)\\p{L}*~(?:بك|معك|عليك|اليك|لك|فريق|احد|زميل|موظف|بالرد|بالاتصال)",
  // Hindi
  "(?:मैं|हम|टीम|कोई|सहयोगी|एजेंट|प्रतिनिधि|विशेषज्ञ|हमारे|हमारी)(?![\\p{L}\\p{M}])~(?:करूंगा|करूंगी|करुंगा|करुंगी|करेंगे|करेंगी|करेगा|करेगी|दूंगा|दूंगी|देंगे|देंगी|देगा|देगी|भेजूंगा|भेजूंगी|भेजेंगे|बताऊंगा|बताऊंगी|बताएंगे|लौटाएंगे|लौटूंगा|लौटेंगे|रहे हैं (?:जांच|देख)|लूंगा|लूंगी|लेंगे|बताएगी|बताएगा|भेजेगी)",
  // Japanese
  "(?:折り返し|後ほど|のちほど|追って|改めて|すぐに|至急|まもなく|後日)[^。]*(?:ご?連絡|お?電話|ご?返信|ご?回答|お送り|返金|対応|確認)[^。]*(?:します|いたします|致します|差し上げます|させていただきます)",
  "(?:こちら|弊社|当社|私|私ども|担当者?|スタッフ|チーム|サポート)[^。]*(?:ご?連絡|お?電話|ご?返信|ご?回答|返金|お調べ|確認|手配|対応|転送|お送り)(?:を)?(?:します|いたします|致します|差し上げます|させていただきます|させます)",
  "(?:確認|お調べ|調査|手配|返金)(?:して|の上|し)[^。]*(?:ご?連絡|お知らせ|お伝え|ご?返信)[^。]*(?:します|いたします|致します)|少々お待ち",
  // Chinese
  "(?:我们?|客服|同事|专员|团队|工作人员|有人|经理)[^。！，]{0,12}(?:会|将|马上|稍后|尽快|随后|这就|来)[^。！]{0,12}(?:联系|回复|答复|致电|打电话|退款|退还|发送|发给|寄|处理|核实|查|跟进|通知|转告|转交|安排|取消|告知|给您|回电)",
  "(?:稍后|尽快|马上|随后)[^。！]{0,8}(?:联系|回复|答复|致电|退款|处理|跟进|通知)(?:您|你)|请稍等|稍等一下",
];

const BETWEEN = "[^.!?;:\\n]{0,50}?(?<![\\p{L}\\p{M}])";
/** The words above as they are usually written; folded here, and no word but the first of a text begins within another. */
const promises = PROMISES.map((pattern) => {
  const folded = pattern.replaceAll(/[^\p{ASCII}]+/gu, foldLetters);
  const begin = /^\(?(?:\?:)?[a-z]/u.test(pattern) ? "(?<![\\p{L}\\p{M}])" : "";
  return new RegExp(`${begin}(?:${folded.replaceAll("~", BETWEEN)})`, "u");
});

/** Whether a sentence promises that the AI or the team will do something later. */
export function promisesLater(sentence: string): boolean {
  const folded = foldLetters(sentence)
    .replaceAll(/[’‘ʼ`]/g, "'")
    .replaceAll(/\s+/g, " ");
  return promises.some((promise) => promise.test(folded));
}
