import { LockKeyhole } from "lucide-react";
import { t } from "../texts/texts.ts";
import { EmptyState } from "../ui/empty-state.tsx";

/** A page that exists, and that the agent's role may not open. */
export function AskAdmin() {
  return <EmptyState icon={LockKeyhole} title={t("askAdmin.title")} text={t("askAdmin.text")} />;
}
