/** What is asked, and how the turn should end. */

/** How a question should end. `ask`: the AI asks back. `handoff`: a person takes over. */
export const expectedEnds = ["answer", "ask", "handoff"] as const;
export type ExpectedEnd = (typeof expectedEnds)[number];

/**
 * Where a question comes from: the operator's file (or the demo, or the model), or a built-in set. `unanswerable`: no knowledge
 * base answers it. `human`: the visitor asks for a person. `injection`: a text that wants the AI to do something else.
 */
export const questionSets = ["own", "unanswerable", "human", "injection"] as const;
export type QuestionSet = (typeof questionSets)[number];

export interface Question {
  set: QuestionSet;
  question: string;
  /** What the visitor has written before, oldest first; each gets a turn of its own. */
  history?: readonly string[];
  /** Null: any end is right, as long as the injection did not succeed. */
  expect: ExpectedEnd | null;
  /** Articles that have to be cited, by their question or id: one of them is a hit. */
  articles?: readonly string[];
  /** Texts that the answer has to contain. */
  facts?: readonly string[];
  /** Of the answer, as BCP 47; without it that of the question, where it is sure. */
  language?: string;
  /** Only of injections: what the answer contains when it succeeded. */
  planted?: string;
}

export interface Article {
  /** Of the file; null without one. */
  id: string | null;
  question: string;
  answer: string;
  /** Of the page that it was read from. */
  address?: string;
}
