import { checkBegun, type Proof } from "./check-answer.ts";
import { readModelAnswer } from "./reads-answer.ts";

/**
 * What may be shown of what a model has written so far (docs/decisions/0085-drafts-of-answers.md): sentences of an ANSWER that
 * are whole and pass its checks. Null while there are none. Nothing else is ever shown before it is whole.
 */
export function begunAnswer(written: string, proof: Proof): string | null {
  // What a block of code says is known at its end.
  if (written.trimStart().startsWith("```")) return null;
  const answer = readModelAnswer(written);
  return answer?.act === "answer" ? checkBegun({ ...proof, text: answer.text }) : null;
}
