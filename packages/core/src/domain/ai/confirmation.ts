/**
 * What a visitor's message says of the answer before it: that it helped, that it did not, or thanks alone. Only a sure word that it
 * helped resolves; a question or a "but" makes it none (docs/decisions/0077-checked-answers.md).
 */

import { foldLetters } from "../folded-letters.ts";

export type Confirmation = "helped" | "not-helped" | "thanks";

/** Longer messages say more than that. */
const LENGTH_MAX = 160;

const NOT_HELPED: readonly string[] = [
  "(?:that|this|it)(?: is|'s| was)? (?:not|wrong|incorrect|false|no help|useless)|(?:not|didn't|doesn't|did not|does not|isn't|wasn't|won't|hasn't) (?:really )?(?:help|helped|helpful|work|worked|working|right|correct|true|what i|my question|answer|solve|solved|fix|fixed)|still (?:not|does|doesn't|the same|broken|no|nothing|can't|cannot)|unhelpful|wrong answer|no, ",
  "(?:nicht|kein|nichts|nie) ?(?:wirklich |so )?(?:geholfen|hilfreich|richtig|funktioniert|geklappt|korrekt|wahr|beantwortet|gelost|meine frage|das problem)|(?:funktioniert|klappt|geht|stimmt|hilft)(?: mir| das| es| immer| noch| leider| so| aber)* nicht|(?:das ist|ist) (?:falsch|nicht)|immer noch|nein",
  "(?:pas|jamais|rien) (?:vraiment )?(?:aide|utile|marche|fonctionne|resolu|correct|juste|vrai|repondu|ca|ma question|du tout)|(?:marche|fonctionne|aide) (?:toujours )?pas|c'est faux|toujours pas|^non",
  "no (?:me )?(?:ha |es |fue |sirve|sirvio|funciona|funciono|ayuda|ayudo|correcto|era)|(?:sigue|continua) (?:sin|igual)|incorrecto|(?:es|esta) (?:mal|falso)|^no[,. ]",
  "nao (?:me )?(?:ajudou|ajuda|funciona|funcionou|serve|serviu|resolveu|resolve|e |foi|era|deu)|continua (?:sem|igual)|(?:esta|e) errad|incorreto|^nao",
  "не (?:помог|работает|сработал|верно|правда|то|получил|решил|правильно|так)|неверно|неправильно|ошибка|все еще|^нет",
  "(?:لم|لا) (?:يساعد|يعمل|ينجح|يحل|يفد|تساعد|تعمل)|غير صحيح|خطا|ليس (?:صحيحا|هذا)|^لا[ ,،.]|ما زال",
  "(?:नहीं|नही) |गलत|मदद नहीं",
  "(?:違い|違う|ちがい|だめ|ダメ|できません|できない|動きません|動かない|なりません|ならない|解決しません|解決していません|解決しない|間違|いいえ)",
  "(?:不对|不行|没用|没有用|没帮|没有帮|不是|错了|还是不|没解决|没有解决|不能|无法)",
];

const HELPED: readonly string[] = [
  "(?:that|this|it|you|which|all) ?(?:'s|has|have|really|all|just|now)* ?(?:work(?:s|ed|ing)|helps|helped|helpful|did it|did the trick|solve[sd] (?:it|my|the)|fixed (?:it|my|the)|answer(?:s|ed) my)|(?:problem|issue|question) (?:is |was )?(?:solved|fixed|answered|resolved)|(?:works|working|solved|fixed|resolved) (?:now|again|it)|^(?:solved|fixed|works|worked|resolved|sorted)[.! ]*$|perfect,? (?:thanks|thank you)|(?:very|really|super) helpful|got it working",
  "(?:hat|haben)(?: mir| uns)? (?:sehr )?(?:geholfen|geklappt|funktioniert)|(?:funktioniert|klappt|geht)(?: jetzt| es| wieder| nun)+|problem (?:ist )?gelost|frage (?:ist )?beantwortet|sehr hilfreich|^(?:geklappt|gelost|funktioniert|klappt|hat geholfen)[.! ]*$",
  "(?:m'a|ca a|cela a|a) (?:bien |beaucoup )?(?:aide|marche|fonctionne)|(?:ca|cela) (?:marche|fonctionne)|probleme (?:est )?resolu|c'est (?:resolu|regle|bon maintenant)|tres utile",
  "(?:me|nos) (?:ha )?(?:ayudado|ayudo|sirvio|servido)|(?:ya|ahora) (?:funciona|esta|me funciona)|(?:ha )?funcion[oa]d?o?[.! ]*(?:gracias)?$|problema (?:esta )?(?:resuelto|solucionado)|(?:resuelto|solucionado|muy util)",
  "(?:me )?(?:ajudou|funcionou|resolveu|deu certo)|(?:agora|ja) (?:funciona|esta funcionando|deu)|problema (?:esta )?resolvido|resolvido|muito util",
  "(?:это |все |мне )?(?:помогло|сработало|заработало|получилось)|(?:теперь|все) работает|(?:проблема|вопрос) реш[её]н|очень полезно",
  "(?:لقد )?(?:ساعدني|افادني|نجح|تم حل|انحلت|حلت المشكلة)|(?:يعمل|تعمل|اشتغل) (?:الان|بشكل)",
  "(?:मदद (?:मिली|मिल गई|हुई|हो गई)|काम (?:कर गया|किया|हो गया|कर रहा)|ठीक हो गया|समस्या (?:हल|सुलझ))",
  "(?:解決(?:し(?:まし)?た|です)|できました|直りました|うまくいきました|助かりました|動きました|わかりました。?ありがとう)",
  "(?:解决了|可以了|好了|成功了|有帮助|很有用|有用|帮到我|搞定了|能用了)",
];

const THANKS =
  /(?<![\p{L}\p{M}])(?:thanks|thank you|thx|ty|cheers|danke|vielen dank|dankeschon|merci|gracias|obrigad[oa]|valeu|спасибо|благодарю|شكرا|धन्यवाद|शुक्रिया)(?![\p{L}\p{M}])|ありがとう|どうも|谢谢|多谢|感谢/u;
/** It goes on: another question, or a reservation. */
const GOES_ON =
  /[?？؟]|(?<![\p{L}\p{M}])(?:but|however|although|except|aber|jedoch|allerdings|mais|cependant|pero|sin embargo|mas|porem|но|однако|لكن|लेकिन|मगर|if|wenn|si|se|если)(?![\p{L}\p{M}])|けど|しかし|ですが|但是?|可是|不过|如果/u;

const compiled = (patterns: readonly string[]) =>
  patterns.map((pattern) => new RegExp(pattern.replaceAll(/[^\p{ASCII}]+/gu, foldLetters), "u"));
const helped = compiled(HELPED);
const notHelped = compiled(NOT_HELPED);

/** Undefined when the message says something else. */
export function readConfirmation(text: string): Confirmation | undefined {
  const folded = foldLetters(text)
    .replaceAll(/[’‘ʼ`]/g, "'")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (folded.length > LENGTH_MAX) return undefined;
  if (notHelped.some((pattern) => pattern.test(folded))) return "not-helped";
  if (GOES_ON.test(folded)) return undefined;
  if (helped.some((pattern) => pattern.test(folded))) return "helped";
  return THANKS.test(folded) && folded.split(" ").length <= THANKS_WORDS_MAX ? "thanks" : undefined;
}

const THANKS_WORDS_MAX = 6;
