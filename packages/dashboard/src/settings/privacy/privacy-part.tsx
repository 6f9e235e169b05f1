import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { DataRequests } from "./data-requests.tsx";
import { ErasureList } from "./erasure-list.tsx";
import { HoldList } from "./hold-list.tsx";
import { privacyQuery } from "./privacy-queries.ts";
import { RetentionForm } from "./retention-form.tsx";

/** How long the team's data is kept, who is on hold, and what was erased. */
export function PrivacyPart() {
  const { data: privacy, isPending, error, refetch } = useQuery(privacyQuery);
  return (
    <>
      <Section title={t("privacy.keep")} text={t("privacy.keepText")}>
        {isPending && <SkeletonRows rows={4} height={72} />}
        {error && (
          <EmptyState icon={ShieldCheck} title={t("trouble.title")} text={problemText(error)}>
            <Button onClick={() => refetch()}>{t("tryAgain")}</Button>
          </EmptyState>
        )}
        {privacy && <RetentionForm privacy={privacy} />}
      </Section>
      <DataRequests />
      <HoldList />
      <ErasureList />
    </>
  );
}
