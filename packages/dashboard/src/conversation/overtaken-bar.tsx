import type { LiveMessage } from "@frontdesk/core/contract/live";
import { TriangleAlert } from "lucide-react";
import { timeOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";

/** A teammate has replied since the agent began to write: shown before anything else is sent to the visitor. */
export function OvertakenBar({
  replies,
  onAnyway,
  onDiscard,
}: {
  replies: readonly LiveMessage[];
  onAnyway(): void;
  onDiscard(): void;
}) {
  return (
    <div role="alert" className="mb-2 rounded-menu border border-note-line bg-note p-3 text-note-ink">
      <p className="flex items-center gap-2 font-medium">
        <TriangleAlert size={14} aria-hidden="true" />
        {t("overtaken.title")}
      </p>
      <ul className="my-2 flex flex-col gap-1">
        {replies.map((reply) => (
          <li key={reply.id} className="flex gap-2">
            <span className="shrink-0 font-medium">
              <bdi>{reply.agent?.name}</bdi> <span className="numbers">{timeOf(reply.created_at)}</span>
            </span>
            <span dir="auto" className="line-clamp-2 min-w-0">
              {reply.content}
            </span>
          </li>
        ))}
      </ul>
      <div className="flex gap-2">
        <Button size="compact" onClick={onAnyway} className="text-ink">
          {t("overtaken.anyway")}
        </Button>
        <Button size="compact" look="quiet" onClick={onDiscard} className="text-note-ink">
          {t("overtaken.discard")}
        </Button>
      </div>
    </div>
  );
}
