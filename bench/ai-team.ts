/** A team with many articles, whose AI is on. */
import { updateAi } from "../packages/server/src/ai/settings/update-ai.ts";
import { withStorage } from "../packages/server/src/cli/with-storage.ts";
import { readSettings } from "../packages/server/src/config.ts";
import { addArticle } from "../packages/server/src/knowledge/add-article.ts";
import type { Env, Team } from "./processes.ts";

const WORDS =
  "copper kettle handle lid spout whistle filter brush cleaning water coffee grinder burr hopper basket pan iron steel oven tray rack shelf drawer hinge screw cable plug socket lamp shade bulb battery charger adapter button display sensor timer program sound light colour size weight length parcel courier label depot customs invoice receipt voucher account password profile newsletter address street country currency refund exchange repair warranty guarantee spare part manual download".split(
    " ",
  );
const SENTENCES = 5;
const WORDS_A_SENTENCE = 14;

/** Switches the AI on, and adds so many published articles of about 500 characters. */
export async function setUpAi(env: Env, { teamId }: Team, articles: number): Promise<void> {
  await withStorage(readSettings(env), async ({ perform, runtime }) => {
    const actor = { kind: "system", teamId } as const;
    runtime.operatorModel = readSettings(env).ai;
    await perform(actor, updateAi, { is_active: true });
    for (let n = 0; n < articles; n += 1) await perform(actor, addArticle, { ...articleText(n), isPublished: true });
  });
}

/** Sets the model of embeddings beside a running server: all that is stored of another one is made anew, in a job. */
export async function setEmbeddingModel(env: Env, { teamId }: Team, model: string | null): Promise<void> {
  await withStorage(readSettings(env), async ({ perform, runtime }) => {
    runtime.operatorModel = readSettings(env).ai;
    await perform({ kind: "system", teamId }, updateAi, { embedding_model: model });
  });
}

/** What a visitor asks about an article: most of its words are in its question, and two are in few others. */
export const questionAbout = (n: number): string =>
  `How is it with the ${subject(n)} ${subject(3 * n + 1)} of the copper kettle?`;

const SYLLABLES = ["ka", "ro", "mi", "ve", "lu", "ta", "no", "shi", "bre", "gol"];

/** One of 1,000 made-up words. */
function subject(n: number): string {
  const syllable = (power: number) => SYLLABLES[Math.floor(n / 10 ** power) % 10] as string;
  return `${syllable(0)}${syllable(1)}${syllable(2)}n`;
}

function articleText(n: number): { question: string; answer: string } {
  const word = (place: number) =>
    place % 9 === 3 ? subject(n + place) : (WORDS[(place * place + n * 7 + place * n) % WORDS.length] as string);
  const sentence = (from: number) =>
    `${Array.from({ length: WORDS_A_SENTENCE }, (_, place) => word(from + place)).join(" ")}.`;
  const answer = Array.from({ length: SENTENCES }, (_, index) => sentence(index * WORDS_A_SENTENCE)).join(" ");
  return { question: `How is it with the ${subject(n)} ${subject(3 * n + 1)}, its ${word(1)} and kettle?`, answer };
}
