/** From the answers of the AI and the replies of agents to the measures of a replay. Pure. */
import type { Asked } from "./ask-questions.ts";
import type { ComparedReply, Found } from "./compare-reply.ts";
import { costs, inLanguage, isUnserved, type Measure, share } from "./measure.ts";

/** A question of a resolved conversation, as the AI ends it, beside what an agent said. */
export interface Replayed extends Asked {
  conversationId: string;
  reply: string;
  compared: ComparedReply;
}

/** Nothing but the server has a threshold: agents are not always right, and not always the same. */
export function measureReplay(all: readonly Replayed[]): Measure[] {
  const served = all.filter((each) => !isUnserved(each));
  const answers = served.filter(({ end }) => end === "answer");
  const ended = (name: string, label: string, end: Asked["end"]) =>
    share(
      name,
      label,
      served.map((each) => each.end === end),
    );
  const found = (name: string, label: string, of: readonly Replayed[], kind: keyof ComparedReply) =>
    share(
      name,
      label,
      of.flatMap(({ compared }) => eachOf(compared[kind])),
    );
  return [
    ended("replay-answered", "Agents answered: the AI answers", "answer"),
    ended("replay-asked", "Agents answered: the AI asks back", "ask"),
    ended("replay-handed-over", "Agents answered: the AI hands over", "handoff"),
    found("replay-figures", "Agents' figures in the AI's answers", answers, "figures"),
    found("replay-links", "Agents' links in the AI's answers", answers, "links"),
    found("replay-words", "Agents' key words in the AI's answers", answers, "words"),
    found("replay-known", "Agents' figures in the articles", served, "figuresInArticles"),
    share("language", "In the visitor's language", served.flatMap(inLanguage)),
    ...costs(served, answers),
    share("unserved", "Turns that the server failed", all.map(isUnserved), { atMost: 1 }),
  ];
}

const eachOf = ({ of, found }: Found): boolean[] => Array.from({ length: of }, (_, index) => index < found);
