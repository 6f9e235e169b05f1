/** An article from a resolved conversation, drafted by the model. Loaded when an agent asks for the first one. */
import { askSession } from "../service/ask-session.ts";
import { queries } from "../service/queries.ts";
import { t } from "../texts/texts.ts";
import { loadTextsOf } from "../texts/texts-of-screens.ts";
import { problemText } from "../ui/problem-text.ts";
import { showNews, showProblem, showToast } from "../ui/toast.ts";

/** The model takes no longer. */
const WRITING_MS = 60_000;

await loadTextsOf("copilot");

/** Says when the draft is there, or which article says it already, with a way there: the agent may be elsewhere by then. */
export async function suggestArticle(conversationId: string, open: (articleId: string) => void): Promise<void> {
  const close = showToast(t("copilot.articleWriting"), undefined, WRITING_MS);
  try {
    const found = await askSession("suggestArticle", { params: { id: conversationId } });
    void queries.invalidateQueries({ queryKey: ["articles"] });
    const text = t(found.is_new ? "copilot.articleDrafted" : "copilot.articleKnown", { question: found.question });
    showNews(text, { label: t("copilot.openArticle"), run: () => open(found.article_id) });
  } catch (error) {
    showProblem(problemText(error));
  } finally {
    close();
  }
}
