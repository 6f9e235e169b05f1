import { useSearch } from "@tanstack/react-router";
import { MessagesSquare } from "lucide-react";
import { t } from "../texts/texts.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { queryOf } from "./inbox-search.ts";
import { useInboxList } from "./live-inbox.ts";

/** Shown beside the list while no conversation is open. An empty list says itself what to do. */
export function NoneOpen() {
  const { conversations, loaded } = useInboxList(queryOf(useSearch({ from: "/signed-in/inbox" })));
  if (loaded && conversations.length === 0) return null;
  return <EmptyState icon={MessagesSquare} title={t("noneOpen.title")} text={t("noneOpen.text")} />;
}
