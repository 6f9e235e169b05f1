import { useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { AiForm } from "./ai-form.tsx";
import { aiQuery } from "./ai-query.ts";
import { AiResults } from "./ai-results.tsx";

/** The built-in AI: its model, where it answers, and its limits. */
export function AiPart() {
  const { data: ai, isPending, error, refetch } = useQuery(aiQuery);
  if (isPending) return <SkeletonRows rows={5} height={72} />;
  if (!ai) {
    return (
      <EmptyState icon={Sparkles} title={t("trouble.title")} text={problemText(error)}>
        <Button onClick={() => refetch()}>{t("tryAgain")}</Button>
      </EmptyState>
    );
  }
  // Before it is set up it has done nothing.
  return <AiForm ai={ai} results={ai.agent_id !== null && <AiResults />} />;
}
