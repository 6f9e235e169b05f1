import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { t } from "../texts/texts.ts";
import { EmptyState } from "../ui/empty-state.tsx";

export function NotFound() {
  return (
    <EmptyState icon={SearchX} title={t("notFound.title")} text={t("notFound.text")}>
      <Link to="/inbox" className="text-accent-text hover:underline">
        {t("notFound.back")}
      </Link>
    </EmptyState>
  );
}
