/**
 * What the service refuses, in the language of whoever reads it. The service says it in English; its commonest sentences are known
 * here, and what is not known is shown as it was said.
 */
import { type TextKey, t } from "../texts/texts.ts";

const known: readonly (readonly [RegExp, TextKey])[] = [
  [/^Your role may not do this\.$/, "problem.role"],
  [/^The e-mail or the password is not right\.$/, "problem.signIn"],
  [/^Too many requests\./, "problem.tooMany"],
  [/^(The service cannot reach its storage\.|Something went wrong on our side\.)/, "problem.service"],
  [/^This (invitation|link) is not valid any more\./, "problem.link"],
  [/^([A-Z][\w ]+ not found|Nothing is at this address|This session has ended already)\.$/, "problem.gone"],
  [/^The file is too large\. A file may have at most (?<count>\d+) MB\.$/, "problem.fileSize"],
  [/^(This field is required|Must not be empty|Please fill this in)\.$/, "problem.empty"],
  [/^(Must have at most|Please use at most) (?<count>\d+) characters\.$/, "problem.tooLong"],
  [/^Please choose a password of at least (?<count>\d+) characters\.$/, "problem.shortPassword"],
  [/^This password is too easy to guess\./, "problem.easyPassword"],
  [/^Please choose a password that is not your name, e-mail or team\.$/, "problem.personalPassword"],
  [/^(Must be an e-mail address\.|Please write an e-mail address)/, "problem.email"],
  [/^This is not your password\.$/, "problem.notPassword"],
  [/^Somebody with this e-mail is already in the team\.$/, "problem.inTeam"],
  [/^(There is one|There is a (tag|field)) of this name already\./, "problem.nameTaken"],
  [/^This is the team's last owner\./, "problem.lastOwner"],
  [/^This conversation is resolved\. Please reopen it first\.$/, "problem.resolved"],
  [/^The visitor has written meanwhile\.$/, "problem.writtenMeanwhile"],
  [/^Must be a time to come, within a year\.$/, "problem.time"],
  [/^There is no such agent in (your|the) team\.$/, "problem.agent"],
  [/^Must be an image\.$/, "problem.image"],
];

export function saidInOwnWords(text: string): string {
  for (const [pattern, key] of known) {
    const found = pattern.exec(text);
    if (found) return t(key, found.groups?.count ? { count: Number(found.groups.count) } : {});
  }
  return text;
}
