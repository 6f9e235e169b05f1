import { MessagesSquare } from "lucide-react";
import { t } from "../texts/texts.ts";
import { EmptyState } from "../ui/empty-state.tsx";

/** Shown beside the list while no conversation is open. */
export function NoneOpen() {
  return <EmptyState icon={MessagesSquare} title={t("noneOpen.title")} text={t("noneOpen.text")} />;
}
