import { CloudOff } from "lucide-react";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { problemText } from "../ui/problem-text.ts";

/** Shown when a screen could not be rendered. */
export function ErrorScreen({ error }: { error: unknown }) {
  return (
    <EmptyState icon={CloudOff} title={t("trouble.title")} text={problemText(error)}>
      <Button onClick={() => location.reload()}>{t("tryAgain")}</Button>
    </EmptyState>
  );
}
