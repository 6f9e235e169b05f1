import { cutArticle } from "@frontdesk/core/domain/cut-article";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../../context.ts";
import { addArticle } from "../add-article.ts";
import type { ShownArticle } from "../article-store.ts";
import type { FileText } from "../documents/read-file.ts";

export interface ReadFile {
  fileName: string;
  text: FileText;
  /** False: drafts. */
  isPublished: boolean;
}

export interface ImportedFile {
  articles: ShownArticle[];
  /** False: the file has more parts than become articles. */
  isWhole: boolean;
}

/**
 * Makes articles of a file that was read. A repeat makes them once more.
 *
 * @throws Refusal `invalid` on `file` for one without text
 */
export const importArticleFile: Operation<ReadFile, ImportedFile> = {
  name: "import-article-file",
  mode: "write",
  async run(ctx, { fileName, text, isPublished }) {
    const title = text.title || fileName.replace(/\.[^.]{1,8}$/, "");
    const { texts, isWhole } = cutArticle({ title, markdown: text.markdown });
    if (texts.length === 0) throw invalid({ file: "file-without-text" });
    const articles: ShownArticle[] = [];
    for (const each of texts) {
      articles.push(await addArticle.run(ctx, { ...each, isPublished, from: { source: "file", fileName } }));
    }
    return { articles, isWhole };
  },
};
