/**
 * Whether a visitor asks for a person: obeyed at once, without a model, in the languages of the widget
 * (docs/decisions/0077-checked-answers.md). Questions about people are none: "Do humans test your products?"
 */

import { foldLetters } from "../folded-letters.ts";
import { everyLanguage } from "./phrases/phrases.ts";

/** A longer message is about something else as well, and its first sentences say so. */
const LENGTH_MAX = 1_000;

/** Nothing but the name of what is wanted, politeness aside. */
const BARE =
  /^(?:(?:a |an )?(?:real |live |actual )?(?:human|person|agent|representative|operator)|human being|(?:live|human) (?:agent|support|chat|help|person|operator)|(?:speak|talk) to (?:human|agent|person|representative)|mensch|(?:echter |echten )?mitarbeiter|menschen|(?:echte |reale )?person|kundenberater|humain|un humain|conseiller|un conseiller|agent humain|une vraie personne|humano|un humano|agente|agente humano|persona real|una persona real|operador|asesor|atendente|atendente humano|atendimento humano|pessoa real|um humano|оператор|оператора|человек|человека|живои человек|живого человека|менеджер|консультант|موظف|انسان|شخص حقيقي|ممثل خدمه العملاء|इंसान|एजेंट|असली इंसान|ऑपरेटर|人間|担当者|オペレーター|有人対応|有人チャット|スタッフ|人工|人工客服|真人|真人客服|转人工|转人工客服|人工服务|在线人工)$/u;
const POLITE =
  /(?<![\p{L}\p{M}])(?:please|pls|plz|now|hi|hello|hey|bitte|jetzt|hallo|s'il vous plait|s'il te plait|svp|stp|por favor|ahora|hola|agora|ola|пожалуиста|здравствуите|من فضلك|لو سمحت|कृपया|प्लीज)(?![\p{L}\p{M}])|お願いします|をお願い|ください|请|谢谢|一下/gu;

const BETWEEN = "[^.!?;\\n。？！]{0,40}?(?<![\\p{L}\\p{M}])";
const compiled = (kind: "request" | "noRequest") =>
  everyLanguage.flatMap((language) =>
    language[kind].map((pattern) => {
      const folded = pattern.replaceAll(/[^\p{ASCII}]+/gu, foldLetters).replaceAll("~", BETWEEN);
      return new RegExp(`${language.wordsStandApart ? "(?<![\\p{L}\\p{M}\\p{N}])" : ""}(?:${folded})`, "u");
    }),
  );
const requests = compiled("request");
const others = compiled("noRequest");

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
