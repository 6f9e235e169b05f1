import { Sparkles, TriangleAlert, Undo2 } from "lucide-react";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Keys } from "../ui/keys.tsx";
import { SourceLink } from "./source-link.tsx";
import type { Copilot } from "./use-copilot.ts";

/** What the copilot has written, above the field: on which articles it rests, which sentences rest on none, and the way back. */
export function CopilotBar({ copilot, text }: { copilot: Copilot; text: string }) {
  const { isWriting, draft, isStale } = copilot;
  // Sentences that the agent has changed are theirs.
  const unsourced = draft?.unsourced.filter((sentence) => text.includes(sentence)) ?? [];
  return (
    <div className="mb-2 flex flex-col gap-1.5 rounded-menu border border-line bg-raised px-3 py-2 text-meta">
      <div className="flex items-center gap-2">
        <Sparkles size={14} className="shrink-0 text-accent" aria-hidden="true" />
        <span className="flex-1 font-medium" role="status">
          {isWriting ? t("copilot.writing") : t("copilot.written")}
        </span>
        {isWriting ? (
          <Button size="compact" look="quiet" onClick={copilot.stop}>
            {t("copilot.stop")}
            <Keys keys="Escape" />
          </Button>
        ) : (
          <Button size="compact" look="quiet" onClick={copilot.undo}>
            <Undo2 size={14} className="rtl:-scale-x-100" aria-hidden="true" />
            {t("copilot.undo")}
          </Button>
        )}
      </div>
      {isStale && (
        <p role="alert" className="flex items-center gap-2 text-warning">
          <TriangleAlert size={14} className="shrink-0" aria-hidden="true" />
          {t("copilot.stale")}
        </p>
      )}
      {draft && draft.sources.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-subtle">
          {t("copilot.sources")}
          {draft.sources.map((source) => (
            <SourceLink key={source.article_id} source={source} isBeside />
          ))}
        </p>
      )}
      {unsourced.length > 0 && (
        <div className="text-subtle">
          {t("copilot.unsourced")}
          <ul className="mt-0.5 flex flex-col gap-0.5">
            {unsourced.map((sentence) => (
              <li key={sentence} dir="auto" className="border-warning border-s-2 ps-2 text-ink">
                {sentence}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
