import { CloudOff } from "lucide-react";
import { MissingPart } from "../service/load-part.ts";
import { reloadPage } from "../service/service-answers.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { problemText } from "../ui/problem-text.ts";

/** Shown in place of a screen that could not be loaded or rendered. */
export function ErrorScreen({ error }: { error: unknown }) {
  const text = error instanceof MissingPart ? t("somethingWrong") : problemText(error);
  return (
    <div role="alert" className="h-full">
      <EmptyState isPage icon={CloudOff} title={t("trouble.title")} text={text}>
        <Button onClick={() => void reloadPage()}>{t("tryAgain")}</Button>
      </EmptyState>
    </div>
  );
}
