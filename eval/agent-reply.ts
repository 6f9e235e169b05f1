/** From a resolved conversation to a question and what an agent answered it with. Pure. */
import { figuresIn } from "@frontdesk/core/domain/ai/figures";
import { promisesLater } from "@frontdesk/core/domain/ai/later-promises";
import { hasAddress } from "@frontdesk/core/domain/ai/plain-answer";
import { sentencesOf } from "@frontdesk/core/domain/ai/sentences";
import { wordsOf } from "@frontdesk/core/domain/text-words";

export interface WrittenMessage {
  by: "visitor" | "agent" | "assistant";
  text: string;
  hasFiles: boolean;
}

/** Fewer words are a greeting, or "One moment, please.". */
const WORDS_MIN = 6;

/**
 * The first thing that an agent says, and everything that the visitor has written before it. Greetings, questions and "I will look
 * into it" say nothing; what follows the reply without a word of the visitor belongs to it.
 *
 * @param messages of one episode, the oldest first
 * @returns undefined when no agent says anything, and when the question has files, which only the agent has seen
 */
export function agentReply(messages: readonly WrittenMessage[]): { question: string; reply: string } | undefined {
  const first = messages.findIndex(({ by }) => by === "visitor");
  const at = messages.findIndex(({ by, text }, index) => index > first && by === "agent" && saysSomething(text));
  if (first < 0 || at < 0) return undefined;
  const asked = messages.slice(first, at).filter(({ by }) => by === "visitor");
  const next = messages.findIndex(({ by }, index) => index > at && by === "visitor");
  const replies = messages.slice(at, next < 0 ? undefined : next).filter(({ by }) => by === "agent");
  const question = joined(asked);
  if (question === "" || asked.some(({ hasFiles }) => hasFiles)) return undefined;
  return { question, reply: joined(replies) };
}

const joined = (messages: readonly WrittenMessage[]): string =>
  messages
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n");

function saysSomething(text: string): boolean {
  const said = sentencesOf(text)
    .map((sentence) => sentence.text.trim())
    .filter((sentence) => !/[?？؟]["”»)]?$/u.test(sentence) && !promisesLater(sentence))
    .join(" ");
  return wordsOf(said).length >= WORDS_MIN || hasAddress(said) || figuresIn(said).some(({ kind }) => kind !== "number");
}
