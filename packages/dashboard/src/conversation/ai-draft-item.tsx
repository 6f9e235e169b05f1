import type { AiDraft } from "@frontdesk/client/agent";
import { t } from "../texts/texts.ts";
import { AiFace, Author, BubbleBox } from "./message-item.tsx";
import { MessageText } from "./message-text.tsx";

/** What the AI is about to say, as its visitor sees it, in the place of its message. */
export function AiDraftItem({ draft: { text, agent } }: { draft: AiDraft }) {
  return (
    <div className="flex flex-col items-end ps-12 pt-3">
      <p className="mb-1 flex items-center gap-1.5 pe-8 text-meta text-subtle">
        <Author via="ai" name={agent?.name ?? null} />
      </p>
      <div className="relative flex max-w-full items-end gap-2">
        <span className="shrink-0 pb-1 text-label text-subtle">{t("ai.writing")}</span>
        <BubbleBox className="rounded-bubble rounded-ee-tag bg-accent-soft">
          <MessageText text={text} />
        </BubbleBox>
        <span className="w-6 shrink-0">
          <AiFace />
        </span>
      </div>
    </div>
  );
}
