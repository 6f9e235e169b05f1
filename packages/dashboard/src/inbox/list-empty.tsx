import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { useNavigate } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import { useMay } from "../service/me.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { emptyBecause, unknownFilter, wholeView } from "./inbox-search.ts";
import { useCounts, usePeople } from "./live-inbox.ts";
import { viewEmpty, viewIcons } from "./view-names.ts";

/** A list without conversations: why it is empty, and what to do about it. */
export function ListEmpty({ query }: { query: InboxQuery }) {
  const navigate = useNavigate();
  const maySetUp = useMay("update-widget");
  const people = usePeople();
  const why = emptyBecause(query, useCounts()?.all.count);
  if (why === "filters") {
    const unknown = people && unknownFilter(query, people);
    return (
      <EmptyState
        icon={ListFilter}
        title={unknown ? t(`filter.unknown.${unknown}`) : t("filter.nothing")}
        text={unknown ? t("filter.unknownText") : t("filter.nothingText")}
      >
        <Button onClick={() => navigate({ to: ".", search: wholeView(query), replace: true })}>
          {t("filter.clear")}
        </Button>
      </EmptyState>
    );
  }
  if (why === "new") {
    return (
      <EmptyState icon={viewIcons.all} title={t("view.noneYet")} text={t("view.allEmpty")}>
        {maySetUp && <Button onClick={() => navigate({ to: "/start" })}>{t("nav.start")}</Button>}
      </EmptyState>
    );
  }
  const isDone = query.view === "open" || query.view === "waiting";
  return (
    <EmptyState
      icon={viewIcons[query.view]}
      title={t(isDone ? "view.done" : "view.nothing")}
      text={viewEmpty(query.view)}
    />
  );
}
