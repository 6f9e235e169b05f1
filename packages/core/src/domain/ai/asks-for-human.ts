/**
 * Whether a visitor asks for a person: obeyed at once, without a model, in the languages of the widget
 * (docs/decisions/0077-checked-answers.md). Questions about people are none: "Do humans test your products?"
 */

import { foldLetters } from "../folded-letters.ts";

/** A longer message is about something else as well, and its first sentences say so. */
const LENGTH_MAX = 1_000;

/** What makes a message no request, though it has its words: "Do I have to talk to an agent?", "I spoke to an agent". */
const NO_REQUEST: readonly string[] = [
  "(?:do|does|did|must|should) (?:i|we|you|one|customers|people) (?:really |even )?(?:need|have) to|(?:do not|don't|dont|didn't|never|wouldn't) (?:want|need|like|have|wish)(?! (?:to (?:talk|speak|chat) (?:to|with) )?(?:a|an|this|your|the) (?:ro)?(?:bot|machine|ai|computer|assistant))|without (?:talking|speaking|having)|what happens (?:if|when)|how (?:many|much|often)|(?:said|told me|says) to|(?:can|does|could) (?:the|your|my|an?) (?:app|device|product|bot|speaker|phone|doll|toy)",
  "muss(?:en)? (?:ich|wir|man)|(?:mochte|will|muss) (?:ich )?(?:nicht|keinen|keine)(?! (?:mit )?(?:einem|einer|diesem|dem)? ?(?:bot|roboter|maschine|ki|computer))|ohne~zu (?:sprechen|reden)",
  "(?:j'ai|nous avons|on a) (?:deja )?(?:parle|discute)|(?:dois|doit|faut)[- ](?:je|on|il)|est-ce qu(?:e je dois|'il faut)|(?:ne veux|ne souhaite|ne voudrais) pas(?! (?:parler|discuter) (?:a|avec) (?:un|une) (?:robot|bot|machine|ia))|sans (?:parler|devoir)",
  "(?:tengo|hay) que|debo|no quiero(?! (?:hablar|chatear) con (?:un|una|este) (?:bot|robot|maquina|ia))|sin (?:hablar|tener)",
  "(?:preciso|tenho que|e preciso|devo) falar com~para|nao quero(?! (?:falar|conversar) com (?:um|uma) (?:robo|bot|maquina|ia))|sem (?:falar|precisar)",
  "(?:нужно ли|надо ли|обязательно ли|должен ли|не хочу|не надо|не нужно)(?! (?:говорить|общаться|разговаривать) с (?:ботом|роботом|машинои|ии))|без (?:разговора|звонка)",
  "هل يجب|لا اريد(?! (?:التحدث|الكلام|التكلم) مع (?:روبوت|اله|بوت))|دون|بدون",
  "नहीं (?:चाहता|चाहती|करनी|करना)|क्या (?:मुझे|हमें)~(?:पड़ेगी|पड़ेगा|करनी होगी)|बिना",
  "(?:話|連絡|相談)(?:す必要|さないと|する必要|しなければ|しなくて)|必要(?:は)?ありますか|たくない(?!です。?(?:人|担当))",
  "(?:不想|不要|不需要|不用|必须|一定要|是否需要|需要.{0,4}才能)[^机]{0,8}(?:人工|真人|客服)",
];

const PERSON =
  "(?:a |an |the |some |your |any |another |one of your )?(?:real |live |actual |human |proper |customer |support |service |sales |senior |different )*(?:humans?|persons?|people|agents?|representatives?|reps?|operators?|advis[eo]rs?|human being|someone|somebody|anyone|employees?|staff|staff member|team member|colleague|manager|supervisor|customer (?:service|support|care)|support(?: team)?|your team)";
/** After the person comes the end, or more of the wish; "agent fee" and "human resources" are other things. */
const AFTER =
  "(?! ?-|[- ](?:resources?|readable|rights?|fees?|licen[sc]es?|accounts?|names?|ids?|portal|app|contracts?|commissions?|numbers?|hours?|trafficking|hair|size|error|tested|added|discount|page|forum|plan|ticket|tickets|skills?|program|dashboard|api|software|role|seat|seats))(?![\\p{L}\\p{M}\\p{N}])";

const REQUESTS: readonly string[] = [
  // English
  `(?:want|wanna|need|like|love|prefer|can|could|may|might|let|please|possible|able|rather|how (?:do|can) (?:i|we))~(?:talk|speak|chat|text)(?:ing)? (?:to|with) ${PERSON}${AFTER}`,
  `^(?:talk|speak|chat)(?:ing)? (?:to|with) ${PERSON}${AFTER}`,
  `(?:connect|transfer|switch|forward|redirect|route|escalate|pass|hand|put)(?: (?:me|us|this|it|this chat|my case))?(?: (?:over|through|on|up))? ?(?:to|with) ${PERSON}${AFTER}`,
  `(?:get|give|find|bring|send|call|fetch) (?:me|us|in) (?:a|an|some|your) (?:real |live |actual |human |different )*(?:human|person|agent|representative|rep|operator|human being|manager|supervisor|someone)${AFTER}`,
  `(?:i|we)(?:'d| would)? (?:want|need|like|prefer|demand)(?: to have)? (?:a|an|some) (?:real |live |actual |human )*(?:human|person|agent|representative|rep|operator|human being|human support|human help)(?=[.!?, ]*(?:please|now|pls|here|asap|instead|to (?:help|talk|assist))?[.!?]*$)`,
  "(?:is|are) there (?:a |an |any |some )?(?:real |live |actual |human )*(?:human|person|people|humans|agent|someone|somebody|anyone|anybody)s?(?: here| there| available| online| around)?~(?:talk|speak|chat|here|available|online|help me)",
  "(?:want|going|like)(?: to)? (?:talk|speak|chat) (?:to|with) (?:a|this|your|the|an) (?:stupid |dumb )?(?:ro)?(?:bot|machine|ai|computer)|(?:stop|no more|enough of|not) (?:this |the |these |a |your )?(?:stupid |dumb )?(?:ro)?bots?[.!]*$",
  "can (?:a|an|any) (?:real |live |actual )*(?:human|person|agent|representative|someone) (?:help|assist|answer|take over)",
  // German
  "(?:mochte|will|wurde|kann|konnte|konnen|darf|bitte|lieber|brauche|gern)~(?:mit|an) (?:(?:einem?|einer|einen|nem|ner|dem|der|ihrem|eurem|ihren|euren|irgend) ?)?(?:echten |richtigen |realen |menschlichen |lebenden |wirklichen )*(?:menschen|mitarbeitern?|mitarbeiterin|person|berater|beraterin|kundenberater|agenten|support-?mitarbeiter|kundenservice|kundendienst|support|jemand(?:em|en)?|kollegen|ansprechpartner|team)~(?:sprechen|reden|chatten|schreiben|verbinden|verbunden|weiterleiten|weitergeleitet|telefonieren|kommunizieren|durchstellen)",
  "(?:verbinden? sie mich|verbinde mich|leiten sie mich|leite mich|stellen sie mich|stell mich)~(?:mit|an|zu) (?:einem?|einer|einen|dem|ihrem)? ?(?:echten |richtigen |menschlichen )*(?:menschen|mitarbeiter(?:in)?|person|berater(?:in)?|agenten|support|kundenservice|jemand\\p{L}*|kollegen)",
  "(?:brauche|will|mochte|hatte gern|gib mir|geben sie mir|hol mir|holen sie)(?: bitte| gerne?)? (?:einen|eine|nen) (?:echten |echte |richtigen |richtige |realen |menschlichen )*(?:menschen|mitarbeiter(?:in)?|person|berater(?:in)?|ansprechpartner)(?=[.!?, ]*(?:bitte|jetzt|sprechen)?[.!?]*$)",
  "(?:mit|keinem?|keinen) (?:einem?|einer|diesem)? ?(?:bot|roboter|maschine|ki|computer)~(?:reden|sprechen|schreiben|chatten)",
  "ist (?:da|hier|dort)~(?:ein (?:echter )?mensch|jemand echtes)",
  // French
  "(?:parler|discuter|echanger|ecrire|communiquer|dialoguer|relation|contact|parle)~(?:a|avec) (?:un|une|quelqu'un|le|votre|l')? ?(?:vrai |vraie |veritable |autre )?(?:humain|personne|conseiller|conseillere|agent|operateur|operatrice|interlocuteur|service client|support|quelqu'un|etre humain|responsable)(?! (?:de voyage|immobilier))",
  "(?:passez|passe|transferez|transfere|mettez|connectez|redirigez|donnez)[- ](?:moi|nous)~(?:humain|personne|conseiller|conseillere|agent|operateur|quelqu'un|service client)",
  "(?:veux|voudrais|souhaite|prefere|besoin d') ?(?:un|une) (?:vrai |vraie )?(?:humain|personne|conseiller|agent)(?: (?:humain|reel|reelle))?(?=[ .!?]*(?:s'il (?:vous|te) plait|svp|stp)?[ .!]*$)",
  "pas~(?:parler|discuter) (?:a|avec) (?:un|une) (?:robot|bot|machine|ia)",
  // Spanish
  "(?:hablar|chatear|comunicarme|contactar|conversar|contacto|atienda|hablo)~con (?:un |una |algun |el |la |otra )?(?:persona|humano|ser humano|agente|asesora?|operadora?|representante|alguien|empleado|atencion al cliente|encargado)(?! (?:de viajes|inmobiliario))",
  "(?:pasame|paseme|comuniqueme|comunicame|conectame|conecteme|transfiereme|transfierame|ponme|pongame|derivame|pasenme)~(?:persona|humano|agente|asesora?|operadora?|representante|alguien|atencion al cliente)",
  "(?:quiero|necesito|prefiero) (?:un |una )(?:humano|persona|agente|asesor|operador|representante)(?: (?:real|humano|humana|de verdad))?(?=[ .!?,]*(?:por favor|ya|ahora)?[ .!]*$)|que me atienda (?:un|una|alguien)~(?:humano|persona|agente|real)",
  "no quiero (?:hablar|chatear) con (?:un|una|este) (?:bot|robot|maquina|ia)",
  // Portuguese
  "(?:falar|conversar|contato|contacto|atendido|chat)~(?:com|por) (?:um |uma |algum |o |a )?(?:pessoa|humano|ser humano|atendente|agente|operadora?|representante|alguem|funcionario|suporte humano)(?! (?:de viagens|imobiliario))",
  "(?:me )?(?:passa|passe|transfere|transfira|conecta|conecte|coloca|coloque|encaminha|encaminhe)(?:-me)?~(?:para|com|a) (?:um |uma |o |a )?(?:pessoa|humano|atendente|agente|operador|representante|alguem)",
  "(?:quero|preciso de|prefiro) (?:um |uma )?(?:humano|atendente|pessoa|atendimento humano)(?: (?:real|humano|de verdade))?(?=[ .!?,]*(?:por favor|agora|ja)?[ .!]*$)",
  "nao quero (?:falar|conversar) com (?:um|uma) (?:robo|bot|maquina|ia)",
  // Russian
  "(?:поговорить|говорить|связаться|общаться|пообщаться|соединить|связь|переговорить)~(?:с|со) (?:живым |реальным |настоящим |вашим )*(?:человеком|оператором|сотрудником|менеджером|специалистом|агентом|консультантом|кем-то|кем-нибудь|людьми|поддержкои)",
  "(?:соедините|соедини|переключите|переключи|свяжите|переведите|переведи|позовите|позови|дайте|подключите)~(?:человек|оператор|сотрудник|менеджер|специалист|консультант|поддержк)",
  "(?:нужен|хочу|дайте|требую) (?:живого |живои |реальныи |реального )?(?:человека?|оператора?|консультанта?|сотрудника?)(?=[ .!?,]*(?:пожалуиста|срочно|сеичас)?[ .!]*$)",
  "не хочу (?:говорить|общаться|разговаривать) с (?:ботом|роботом|машинои|ии)",
  // Arabic
  "(?:اريد|ارغب|اود|ابغى|عايز|محتاج|احتاج|ممكن|يمكنني|اقدر|بدي|دعني|خليني|استطيع)~(?:التحدث|الحديث|اتحدث|اتكلم|التكلم|الكلام|التواصل|احكي|اكلم|اتواصل)~(?:شخص|انسان|موظف|بشر|احد|ممثل|وكيل|مسؤول|خدمة العملاء|الدعم)",
  "(?:حولني|وصلني|صلني|حولوني|اوصلني|انقلني)~(?:شخص|موظف|انسان|ممثل|خدمة العملاء|احد|مسؤول|بشر)",
  "لا اريد (?:التحدث|الكلام|التكلم) مع (?:روبوت|آلة|بوت)",
  // Hindi
  "(?:इंसान|व्यक्ति|एजेंट|प्रतिनिधि|मनुष्य|आदमी|कर्मचारी|किसी|ऑपरेटर)~(?:से|के साथ)~(?:बात|चैट|संपर्क|जोड़|कनेक्ट)~(?:करना चाह|करनी है|करना है|करवा|करा|कर सक|चाहता|चाहती|दो|दें|दीजिए)",
  "(?:इंसान|एजेंट|प्रतिनिधि) (?:से|को) (?:जोड़|कनेक्ट|बुला|मिला)",
  // Japanese
  "(?:人間|人|担当者|担当の方|担当|オペレーター|スタッフ|係の方|係員|有人|サポート)(?:の方)?(?:と|に|へ|を)[^。?？]{0,10}(?:話し?たい|話せ|話させ|話がしたい|つない|繋い|つなげ|繋げ|代わっ|替わっ|変わっ|かわっ|呼ん|出して|チャットし|相談したい|お願いし|取り次)",
  "有人(?:チャット|対応|サポート)(?:に|を|へ|で)?(?:お願い|希望|切り替え|して)|(?:ロボット|ボット|ai)(?:じゃなくて|ではなく|でなく)",
  // Chinese
  "(?:转|接|找|换|叫|联系|连接|需要|想要|我要|想和|想跟|和|跟|与)[^。，？?]{0,6}(?:人工(?!智能|费|成本|合成|皮革|草|钻|湖)|真人(?!模特|秀|测试|实拍|照)|客服人员|活人)[^。？?]{0,6}(?:客服|服务|说话|聊|谈|交谈|沟通|接听|$|吧|[。！!])",
  "(?:转|接|找)(?:一下|个)?(?:人工|真人)(?!智能)|(?:不想|不要)[^。]{0,4}(?:和|跟|与)?(?:机器人|ai)[^。]{0,3}(?:说话|聊|谈|对话)",
];

/** Nothing but the name of what is wanted, politeness aside. */
const BARE =
  /^(?:(?:a |an )?(?:real |live |actual )?(?:human|person|agent|representative|operator)|human being|(?:live|human) (?:agent|support|chat|help|person|operator)|(?:speak|talk) to (?:human|agent|person|representative)|mensch|(?:echter |echten )?mitarbeiter|menschen|(?:echte |reale )?person|kundenberater|humain|un humain|conseiller|un conseiller|agent humain|une vraie personne|humano|un humano|agente|agente humano|persona real|una persona real|operador|asesor|atendente|atendente humano|atendimento humano|pessoa real|um humano|оператор|оператора|человек|человека|живои человек|живого человека|менеджер|консультант|موظف|انسان|شخص حقيقي|ممثل خدمه العملاء|इंसान|एजेंट|असली इंसान|ऑपरेटर|人間|担当者|オペレーター|有人対応|有人チャット|スタッフ|人工|人工客服|真人|真人客服|转人工|转人工客服|人工服务|在线人工)$/u;
const POLITE =
  /(?<![\p{L}\p{M}])(?:please|pls|plz|now|hi|hello|hey|bitte|jetzt|hallo|s'il vous plait|s'il te plait|svp|stp|por favor|ahora|hola|agora|ola|пожалуиста|здравствуите|من فضلك|لو سمحت|कृपया|प्लीज)(?![\p{L}\p{M}])|お願いします|をお願い|ください|请|谢谢|一下/gu;

const BETWEEN = "[^.!?;\\n。？！]{0,40}?(?<![\\p{L}\\p{M}])";
const compiled = (patterns: readonly string[]) =>
  patterns.map((pattern) => {
    const folded = pattern.replaceAll(/[^\p{ASCII}]+/gu, foldLetters).replaceAll("~", BETWEEN);
    // Scripts without spaces, and Arabic with its particles, have words that begin within others.
    const begin = /[\p{sc=Han}\p{sc=Arabic}]/u.test(pattern) ? "" : "(?<![\\p{L}\\p{M}\\p{N}])";
    return new RegExp(`${begin}(?:${folded})`, "u");
  });
const requests = compiled(REQUESTS);
const others = compiled(NO_REQUEST);

export function asksForHuman(text: string): boolean {
  const folded = foldLetters(text.slice(0, LENGTH_MAX).toWellFormed())
    .replaceAll(/[’‘ʼ`´]/g, "'")
    .replaceAll(/[ \t\u00a0]+/g, " ");
  const bare = folded
    .replaceAll(POLITE, " ")
    .replaceAll(/[^\p{L}\p{M}\p{N}' -]+/gu, " ")
    .replaceAll(/ +/g, " ")
    .trim();
  if (BARE.test(bare)) return true;
  return folded
    .split(/(?<=[.!?;\n。？！।؟])/u)
    .map((sentence) => sentence.trim())
    .some(
      (sentence) => requests.some((request) => request.test(sentence)) && !others.some((other) => other.test(sentence)),
    );
}
