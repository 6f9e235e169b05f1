import { SearchX, Trash2 } from "lucide-react";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

/** In place of a conversation that was deleted, or that never was. */
export function NoConversation({ isErased, onLeave }: { isErased: boolean; onLeave(): void }) {
  if (!isErased) return <EmptyState icon={SearchX} title={t("notFound.title")} text={t("notFound.text")} />;
  return (
    <div role="status" className="h-full">
      <EmptyState icon={Trash2} title={t("erased.conversation")}>
        <Button onClick={onLeave}>{t("notFound.back")}</Button>
      </EmptyState>
    </div>
  );
}
