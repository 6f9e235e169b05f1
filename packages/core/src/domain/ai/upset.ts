/**
 * Whether a visitor's message is that of an upset person, in the languages of the widget: insults, plain anger, or shouting. Only
 * what is sure counts; the model marks what these rules don't see (docs/decisions/0084-handoffs-by-rule.md).
 */

import { foldLetters } from "../folded-letters.ts";

/** So many upset messages of an episode, and a person answers. */
const UPSET_MAX = 2;

/** Anger is said at once; what comes later in a long message is a report. */
const LENGTH_MAX = 1_000;

/** English, German, French, Spanish, Portuguese, Russian, Arabic, Hindi, Japanese, Chinese; without accents, as folded. */
const UPSET: readonly string[] = [
  "(?:this|that|it|your (?:service|support|company|bot|product|website))(?: is|'s|s)? (?:just |so |absolutely |completely |totally |utterly |really |simply )*(?:ridiculous|outrageous|unacceptable|infuriating|disgusting|pathetic|disgraceful|bullshit|bull shit|an outrage|(?:a (?:bad |sick )?joke|a disgrace|crap|garbage|a nightmare)(?=[ ]*(?:[.!?,]|$)))|(?:you|you guys|you people)(?: are|'re|re) (?:all |just |so |such |absolutely |completely |totally |really |a bunch of |a |an )*(?:useless|idiots?|morons?|incompetent|stupid|liars?|thieves|scammers?|crooks|pathetic|a joke|worthless|clowns?)|(?:useless|stupid|dumb|damn|fucking|goddamn) (?:bot|robot|ai|machine|company|service|support|people|idiots?)|(?:i am|i'm|im) (?:so |very |really |extremely |absolutely |getting |just |beyond )*(?:angry|furious|pissed(?: off)?|livid|fed up|outraged|sick of (?:this|you|waiting)|sick and tired|disgusted|losing my patience)|(?:worst|most awful|most terrible) (?:service|support|customer service|company|experience|shop|store)(?! (?:you|that you|they))|are you (?:kidding|joking|fucking kidding)(?: me)?|what a (?:joke|disgrace|waste of (?:my )?time|rip-?off|scam)|(?:complete|total|such a) (?:waste of (?:my )?time|rip-?off)|fuck(?:ing|ed)?(?: you| this| off| hell)?|wtf|what the (?:hell|fuck)|bullshit|go to hell|screw you|shame on you|how dare you|enough is enough|(?:i've|i have) had enough(?: of (?:this|you))?(?=[ .!]*$)",
  "(?:das|es|euer (?:service|support|laden)|ihr (?:service|support|laden)) ist (?:doch |ja |einfach |echt |wirklich |absolut |so |total )*(?:lacherlich|eine (?:absolute )?(?:frechheit|unverschamtheit|zumutung|katastrophe|schande|sauerei)|unverschamt|unerhort|eine? witz|ein (?:schlechter )?witz|inakzeptabel|unmoglich von (?:ihnen|euch)|das letzte|zum kotzen|scheisse?|der letzte (?:mist|dreck))|(?:so )?(?:eine|was fur eine) (?:absolute )?(?:frechheit|unverschamtheit|sauerei|zumutung)|(?:ihr|sie) (?:seid|sind) (?:doch |alle |einfach |echt |wirklich |so |total |ein haufen )*(?:idioten|unfahig|betruger|lugner|nutzlos|inkompetent|abzocker|dumm|blod)|(?:ich bin|bin) (?:so |sehr |echt |wirklich |richtig |total |stink)*(?:wutend|sauer|stinksauer|stocksauer|emport|genervt von (?:euch|ihnen)|verargert)|(?:ich habe?|hab) (?:die schnauze|die nase|es) (?:so |echt |jetzt |langsam )?(?:gestrichen )?(?:voll|satt)|mir reicht(?:'s| es)|jetzt reicht(?:'s| es)|verarschen?|wollen sie mich (?:verappeln|auf den arm nehmen)|(?:dummer|bloder|nutzloser|scheiss|drecks) ?(?:bot|roboter|laden|verein|ki|automat)|schlechtester? (?:service|support|kundendienst|kundenservice|laden)|so ein (?:scheiss|mist|saftladen)|saftladen|verdammte? (?:scheisse|nochmal|noch mal|kacke)|(?:ihr|du|sie) (?:arschlocher|arschloch|wichser|vollidioten|vollidiot)|leck mich|abzocke!",
  "c'est (?:vraiment |tout simplement |absolument |completement |juste |n'importe )*(?:ridicule|inadmissible|inacceptable|scandaleux|honteux|une honte|un scandale|lamentable|pathetique|degueulasse|abuse|de l'arnaque|du foutage de gueule|une blague(?= |!|$))|vous etes (?:vraiment |tous |des |une bande d'|une bande de |trop |completement )*(?:nuls?|incompetents?|idiots?|voleurs?|escrocs?|menteurs?|inutiles?|cons?|incapables?|arnaqueurs?)|(?:je suis|j'suis) (?:vraiment |tres |trop |completement |hyper )*(?:furieux|furieuse|en colere|enerve|enervee|excede|excedee|degoute|degoutee|scandalise|scandalisee|outre|outree)|(?:j'en ai|on en a) (?:vraiment )?(?:marre|assez|ras le bol|plein le cul)|ras[- ]le[- ]bol|y en a marre|vous vous (?:moquez|foutez|fichez) de (?:moi|nous|qui)|foutage de gueule|quelle honte|honte a vous|(?:pire|plus mauvais) (?:service|support|entreprise|service client|boutique)|putain|bordel|merde|allez vous faire|(?:stupide|saloperie de|putain de|foutu) (?:robot|bot|machine|ia)|bande de (?:nuls|cons|voleurs|escrocs)|ca suffit(?=[ !.]*$)",
  "(?:esto|eso|su servicio|vuestro servicio|su atencion)? ?(?:es|me parece) (?:realmente |totalmente |absolutamente |completamente |simplemente |muy |tan |una? )*(?:ridiculo|inaceptable|indignante|vergonzoso|verguenza|burla|tomadura de pelo|estafa total|lamentable|patetico|asco|escandalo)(?= |[.!,]|$)(?! (?:pensar|creer))|que (?:verguenza|asco|falta de respeto|indignante|servicio tan malo|porqueria|mierda)|(?:son|sois|ustedes son) (?:todos |unos |una |realmente |muy |tan )*(?:inutiles|incompetentes|idiotas|ladrones|estafadores|mentirosos|sinverguenzas|unos inutiles|imbeciles)|(?:estoy) (?:muy |tan |realmente |super |completamente )*(?:furioso|furiosa|enojado|enojada|enfadado|enfadada|indignado|indignada|cabreado|cabreada|hart[oa](?: de (?:esto|ustedes|esperar|vosotros))?)|me tienen (?:hart[oa]|cansad[oa])|ya (?:basta|estuvo bueno)|(?:peor|pesimo) (?:servicio|atencion|empresa|experiencia|tienda)(?! (?:que|de))|(?:me estan|se estan|me estais|os estais) (?:tomando el pelo|burlando|riendo de mi)|(?:estupido|maldito|puto|inutil) (?:bot|robot|chat|servicio|maquina)|mierda|joder|hijos de puta|vayanse al (?:diablo|carajo)|no me jodas",
  "(?:isso|isto|o servico de voces|o atendimento)? ?e (?:realmente |totalmente |absolutamente |simplesmente |muito |tao |um |uma )*(?:ridiculo|inaceitavel|absurdo|vergonhoso|vergonha|palhacada|piada de mau gosto|lamentavel|patetico|revoltante|falta de respeito|desrespeito|nojo)(?=[ .!,]|$)(?! pensar)|que (?:absurdo|vergonha|palhacada|falta de respeito|nojo|servico pessimo|merda|descaso)|(?:voces|vcs) sao (?:todos |uns |umas |realmente |muito |tao |um bando de )*(?:inuteis|incompetentes|idiotas|ladroes|golpistas|mentirosos|palhacos|pessimos|ridiculos|uma vergonha)|(?:estou|to) (?:muito |tao |realmente |super |completamente )*(?:furios[oa]|irritad[oa]|indignad[oa]|revoltad[oa]|puto|puta da vida|com muita raiva|com raiva|de saco cheio|fart[oa](?: de)?)|pior (?:servico|atendimento|empresa|experiencia|loja)(?! (?:que|do que))|(?:estao|voces estao|ta) (?:me fazendo de (?:palhac[oa]|idiota|otari[oa])|de brincadeira|brincando com a minha cara|de sacanagem)|(?:robo|bot|maquina) (?:inutil|idiota|burr[oa]|de merda)|ja chega(?=[ !.]*$)|merda|porra|caralho|vai se foder|vao se foder|que saco",
  "это (?:просто |же |полный |полное |полная |совершенно |абсолютно |какой-то |какое-то |настоящии |настоящее )*(?:возмутительно|безобразие|издевательство|неприемлемо|позор|беспредел|бред|кошмар|ужас какои-то|хамство|смешно уже|идиотизм|маразм)|(?:что за|какое|какои) (?:безобразие|издевательство|хамство|бред|идиотизм|беспредел|позор)|вы (?:все |просто |там |совсем |что,? |полные |какие-то )*(?:идиоты|тупые|мошенники|воры|обманщики|бесполезны|бесполезные|некомпетентны|некомпетентные|издеваетесь|охренели|обалдели|дебилы|уроды)|я (?:просто |очень |так |крайне |в полном )*(?:в ярости|в бешенстве|зол|зла|злая|возмущен|возмущена|взбешен|взбешена)|(?:меня|мне) (?:это |все это |уже |так |вы |очень )*(?:достало|достали|бесит|бесите|надоело|задолбало|задолбали|осточертело)|сколько можно(?: (?:ждать|терпеть|это терпеть|повторять|писать|звонить)|(?=[ !?.]*$))|с меня хватит|хватит (?:уже )?(?:издеваться|врать)|(?:худшии|отвратительныи|ужасныи|мерзкии) (?:сервис|магазин|саппорт)|(?:худшая|отвратительная) (?:поддержка|компания|служба)|(?:тупои|бесполезныи|идиотскии|дурацкии|чертов) (?:бот|робот|автоответчик)|черт (?:возьми|побери|бы вас)|какого (?:черта|хрена|хера)|охренеть|идите (?:к черту|в жопу|на хрен|нахрен)|стыдно должно быть|как вам не стыдно",
  "(?:هذا|هذه|هدا) (?:امر |شيء |حقا |جدا |فعلا |مجرد )*(?:سخيف|مهزله|غير مقبول|لا يطاق|فضيحه|عيب|استهتار|استهزاء|غير معقول|نصب|مقرف|وقاحه)|(?:انتم|انتو|انتوا) (?:كلكم |فعلا |حقا |مجرد )*(?:نصابين|نصابون|لصوص|كذابين|كاذبون|حراميه|فاشلين|فاشلون|اغبياء|عديمي الفائده|محتالين|محتالون)|انا (?:جدا |فعلا |حقا )*(?:غاضب|غاضبه|منزعج جدا|منزعجه جدا|معصب|معصبه|مستاء جدا|مستاءه جدا|زعلان جدا)|(?:طفح|طفح بي) (?:الكيل|كيلي)|(?:اسوا|ازفت|اوسخ) (?:خدمه|شركه|دعم|متجر|تجربه)|خدمه (?:زباله|زفت|سيئه للغايه|مقرفه)|(?:روبوت|بوت) (?:غبي|تافه|فاشل)|(?:تضحكون|تستهزئون|تستهزؤون|بتضحكوا|تستهبلون) (?:علي|علينا)|عيب عليكم|حسبي الله|تبا لكم|يكفي (?:كذب|استهتار|مماطله)",
  "(?:यह|ये|यह तो|ये तो) (?:बिल्कुल |एकदम |सरासर |बहुत |क्या |पूरी तरह )*(?:बकवास|बेहूदा|बेहूदगी|शर्मनाक|घटिया|मज़ाक|मजाक|धोखा|धोखाधड़ी|अस्वीकार्य|बेतुका|नाइंसाफी) (?:है|हो रहा है|लगा रखा है|चल रहा है)|(?:क्या )?(?:मज़ाक|मजाक) (?:बना रखा है|कर रहे (?:हो|हैं)|समझ रखा है)|(?:आप|तुम|आप लोग|तुम लोग) (?:सब |बिल्कुल |एकदम |बहुत )*(?:बेकार|निकम्मे|चोर|धोखेबाज|धोखेबाज़|झूठे|बेवकूफ|बेवकूफ़|मूर्ख|घटिया|नालायक|पागल) (?:हो|हैं)|(?:मैं|मुझे) (?:बहुत |बेहद |अब |सच में )*(?:गुस्से में हूं|गुस्सा (?:आ रहा|हूं|आ रही)|नाराज हूं|नाराज़ हूं|तंग आ (?:गया|गई|चुका|चुकी)|परेशान हो (?:गया|गई|चुका|चुकी))|(?:सबसे )?(?:घटिया|बकवास|वाहियात|बेकार) (?:सर्विस|सेवा|कंपनी|सपोर्ट|बॉट|रोबोट)(?= |[।.!]|$)|हद (?:हो गई|है)|शर्म (?:आनी चाहिए|करो|कीजिए)|बस बहुत (?:हुआ|हो गया)|भाड़ में जाओ",
  "ふざけ(?:るな|ないで|んな|てる|てん)|いい加減に(?:して|しろ)|馬鹿にし(?:て|ないで)|バカにし(?:て|ないで)|(?:本当に|ほんとに|マジで|まじで|かなり|とても|すごく)?(?:頭にき|頭に来|腹が立|腹立|ムカつ|むかつ|イライラし|いらいらし|怒って(?:い|る|ます))(?:て|た|ち|つ|っ|く|い|ま|す|る|$)|最悪(?:の(?:対応|サービス|会社|店|サポート)|だ|です|！|!|。|$)|ひどすぎ|酷すぎ|あり得ない(?:対応|!|！|。|$)|ありえない(?:対応|!|！|。|$)|(?:使えない|役立たず|役に立たない|クソ|くそ)(?:な|の)?(?:ボット|ai|ロボット|サービス|会社|サポート|だな|！|!|。|$)|詐欺(?:だ|師|会社|じゃないか)|許せない|許しません|呆れ(?:た|ました|ます|て)|(?:お前|おまえ|てめえ|てめぇ)",
  "(?:太|真|简直|也太)(?:是)?(?:荒谬|离谱|过分|可笑|恶心|坑人|气人|垃圾|差劲|无耻)(?!吗)|(?:你们|你)(?:就是|都是|是|真是|简直是|全是)?(?:一群|一帮|个)?(?:骗子|白痴|废物|混蛋|垃圾|傻子|傻逼|流氓|强盗)|(?:气死|烦死)(?:我|人|了)|(?:我)?(?:非常|很|真的很|十分|特别|已经很)?(?:愤怒|生气|火大|恼火)(?:了|！|!|。|$)|(?:受够|忍无可忍|忍够)了?|(?:什么|这是什么)(?:破|垃圾|烂)(?:服务|公司|客服|机器人|东西|玩意)|(?:垃圾|破|烂|傻|蠢)(?:服务|公司|客服|机器人|平台)|(?:最差|最烂)的(?:服务|公司|客服|体验)|(?:耍|玩|逗)我(?:呢|吗|是吧|玩)|不可理喻|岂有此理|妈的|他妈|操你|滚(?:蛋|开)|没完没了了|无语死了",
];

/** What makes a sentence none of anger at us, though it has its words. */
const CALM: readonly string[] = [
  "(?:not|n't|never|no longer|without being) (?:so |very |really |that |at all |being |been |getting |a |an )*(?:angry|furious|pissed|livid|fed up|ridiculous|outrageous|unacceptable|useless|stupid|idiots?|a joke|the worst|worst)|(?:was|were|used to be) (?:so |very |really )*(?:angry|furious)|(?:would|could|might|may) be (?:ridiculous|unacceptable)|(?:sounds?|looks?) (?:ridiculous|stupid), but|(?:ridiculously|stupidly) |fucking (?:great|awesome|amazing|brilliant|love|good)|(?:if|when) (?:i am|i'm|my)",
  "(?:nicht|kein|keine|keinen|nie|niemals) (?:so |sehr |wirklich |mehr )*(?:wutend|sauer|genervt|verargert|lacherlich|frechheit|unverschamt|witz|idioten)|ware (?:lacherlich|eine frechheit)",
  "(?:pas|plus|jamais) (?:du tout |si |tres |vraiment )*(?:en colere|furieux|furieuse|enerve|enervee|ridicule|inacceptable|nuls?)|serait (?:ridicule|inacceptable)",
  "no (?:es|estoy|son|me parece|sois) (?:tan |muy |nada |para nada )*(?:ridiculo|inaceptable|enojad[oa]|enfadad[oa]|furios[oa]|hart[oa]|inutiles|una)|seria (?:ridiculo|inaceptable)",
  "nao (?:e|estou|sao|to) (?:tao |muito |nada )*(?:ridiculo|inaceitavel|irritad[oa]|furios[oa]|com raiva|inuteis|absurdo|uma)|seria (?:ridiculo|inaceitavel|absurdo)",
  "не (?:зол|зла|злюсь|возмущен|в ярости|идиоты|бред|безобразие|смешно|сержусь)|было бы (?:смешно|неприемлемо)",
  "(?:لست|ليس|لسنا|غير) (?:غاضب|معصب|سخيف|منزعج)",
  "(?:गुस्सा|नाराज|नाराज़|बकवास|बेकार|मज़ाक|मजाक|गुस्से में) (?:नहीं|नही)",
  "怒って(?:い)?(?:ない|ません)|最悪(?:の場合|のケース|でも)|イライラし(?:て)?(?:ない|ません)",
  "(?:没有|没|不|并不|并没有)(?:是|很|那么|太)?(?:生气|愤怒|恼火|过分|离谱)|(?:不是|别)(?:骗子|垃圾)",
];

const SPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Arabic}]/u;
const compiled = (patterns: readonly string[]) =>
  patterns.map((pattern) => {
    const folded = pattern.replaceAll(/[^\p{ASCII}]+/gu, foldLetters);
    // Words of scripts without spaces, and Arabic ones with their particles, begin and end within others.
    return new RegExp(
      SPACED.test(pattern) ? folded : `(?<![\\p{L}\\p{M}\\p{N}])(?:${folded})(?![\\p{L}\\p{M}\\p{N}])`,
      "u",
    );
  });
const upset = compiled(UPSET);
const calm = compiled(CALM);

/**
 * Whether an upset visitor is to get a person now.
 *
 * @param texts of the visitor, in the episode and in what is to be answered
 * @param marked turns in which the model alone took them to be upset
 */
export function isUpsetAgain(
  texts: { episode: readonly string[]; burst: readonly string[] },
  marked: { before: number; now: boolean },
): boolean {
  const isNow = marked.now || texts.burst.some(isUpset);
  return isNow && texts.episode.filter(isUpset).length + marked.before + (marked.now ? 1 : 0) >= UPSET_MAX;
}

/** Whether the message is one of an upset visitor, for sure. */
export function isUpset(text: string): boolean {
  const begin = text.slice(0, LENGTH_MAX).toWellFormed();
  if (isShouted(begin)) return true;
  return foldLetters(begin)
    .replaceAll(/[’‘ʼ`´]/g, "'")
    .replaceAll(/[ \t\u00a0]+/g, " ")
    .split(/(?<=[.!?;\n。？！।؟])/u)
    .map((sentence) => sentence.trim())
    .some((sentence) => upset.some((each) => each.test(sentence)) && !calm.some((each) => each.test(sentence)));
}

/** Letters of a text that is shouted, at least. */
const SHOUTED_LETTERS = 12;
const SHOUTED_WORDS = 3;

/** All in capitals, with exclamation marks in a row: each alone is how some people write. */
function isShouted(text: string): boolean {
  if (!/[!！][!?！？]|[?？][!！]/u.test(text)) return false;
  const letters = text.match(/\p{L}/gu) ?? [];
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  return letters.length >= SHOUTED_LETTERS && words >= SHOUTED_WORDS && capitals >= letters.length * 0.9;
}
