import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, FileQuestion, Trash2 } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { queries } from "../service/queries.ts";
import { rest } from "../service/rest.ts";
import { usePageTitle } from "../shell/page-title.ts";
import { t } from "../texts/texts.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field, TextArea, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { problemText } from "../ui/problem-text.ts";
import { Switch } from "../ui/switch.tsx";
import { showToast } from "../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../ui/unsaved.tsx";
import { ConversationOrigin } from "./article-origins.tsx";

const MarkdownPreview = lazyPart(() => import("./markdown-preview.tsx"), "MarkdownPreview");

/** One question and its answer, with a preview. */
export function ArticlePage() {
  const { articleId: id } = useParams({ from: "/signed-in/knowledge/$articleId" });
  const isNew = id === "new";
  const found = useQuery({
    queryKey: ["article", id],
    queryFn: () => rest.getArticle({ params: { article: id } }),
    enabled: !isNew,
  });
  usePageTitle("item", found.data?.data.attributes.question);
  if (found.isError)
    return <EmptyState icon={FileQuestion} title={t("trouble.title")} text={problemText(found.error)} />;
  if (isNew) return <ArticleForm key="new" was={{ question: "", answer: "", is_published: true }} />;
  return found.data ? <ArticleForm key={id} id={id} was={found.data.data.attributes} /> : null;
}

function ArticleForm({ id, was }: { id?: string; was: { question: string; answer: string; is_published: boolean } }) {
  const navigate = useNavigate();
  const [answer, setAnswer] = useState(was.answer);
  const [isPublished, setPublished] = useState(was.is_published);
  const unsaved = useUnsaved(isPublished);
  /** Known before the address has it, so that saving again never creates a second article. */
  const stored = useRef(id);
  const form = useForm(async ({ question = "" }) => {
    const body = { question: question.trim(), answer, is_published: isPublished };
    const saved = await unsaved.saving(
      stored.current ? rest.updateArticle({ params: { article: stored.current }, body }) : rest.createArticle({ body }),
    );
    stored.current = saved.data.id;
    showToast(t("saved"));
    queries.setQueryData(["article", saved.data.id], { data: saved.data });
    void queries.invalidateQueries({ queryKey: ["articles"] });
    // Not when the agent has left the page meanwhile.
    if (!id && location.pathname.endsWith("/knowledge/new"))
      void navigate({ to: "/knowledge/$articleId", params: { articleId: saved.data.id }, replace: true });
  });
  const remove = async () => {
    if (!id) return;
    await rest.deleteArticle({ params: { article: id } });
    if (location.pathname.endsWith(`/knowledge/${id}`)) await navigate({ to: "/knowledge" });
    void queries.invalidateQueries({ queryKey: ["articles"] });
    showToast(t("knowledge.removed"), async () => {
      await rest.createArticle({
        body: { question: was.question, answer: was.answer, is_published: was.is_published },
      });
      await queries.invalidateQueries({ queryKey: ["articles"] });
    });
  };
  return (
    <form {...unsaved.form} onSubmit={form.send} className="flex h-full flex-col">
      <header className="flex h-13 shrink-0 items-center gap-2 border-line border-b px-4">
        <IconButton label={t("backToList")} className="md:hidden" onClick={() => navigate({ to: "/knowledge" })}>
          <ArrowLeft size={16} className="rtl:-scale-x-100" />
        </IconButton>
        <div className="flex-1">
          <Switch label={t("knowledge.published")} checked={isPublished} onChange={setPublished} />
        </div>
        {id && (
          <IconButton label={t("knowledge.remove")} onClick={() => unsaved.leave(remove)}>
            <Trash2 size={16} />
          </IconButton>
        )}
        <UnsavedMark unsaved={unsaved} short />
        <Button type="submit" look="primary" size="compact" disabled={form.busy}>
          {t("save")}
        </Button>
        {unsaved.question}
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        <p className="text-meta text-muted">{t(isPublished ? "knowledge.publishedHint" : "knowledge.draftHint")}</p>
        {id && <ConversationOrigin articleId={id} />}
        <FormProblem text={form.problem} />
        <Field label={t("knowledge.question")} problem={form.problemOf("question")}>
          <TextInput name="question" dir="auto" required defaultValue={was.question} autoFocus={!id} />
        </Field>
        <div className="grid min-h-0 flex-1 gap-4 lg:grid-cols-2">
          <Field label={t("knowledge.answer")} hint={t("knowledge.markdown")} problem={form.problemOf("answer")}>
            <TextArea
              name="answer"
              dir="auto"
              required
              value={answer}
              onChange={({ target }) => setAnswer(target.value)}
              className="min-h-64 flex-1 resize-none font-mono"
            />
          </Field>
          <section className="flex min-w-0 flex-col gap-1.5" aria-label={t("knowledge.preview")}>
            <h2 className="font-medium">{t("knowledge.preview")}</h2>
            <div className="flex-1 rounded-control border border-line p-4">
              <Suspense>
                <MarkdownPreview text={answer} />
              </Suspense>
            </div>
          </section>
        </div>
      </div>
    </form>
  );
}
