import { useParams, useSearch } from "@tanstack/react-router";
import { queryOf } from "../inbox/inbox-search.ts";
import { ConversationScreen } from "./conversation-screen.tsx";

/** The conversation named in the URL. */
export function ConversationPage() {
  const { conversationId } = useParams({ from: "/signed-in/inbox/$conversationId" });
  const query = queryOf(useSearch({ from: "/signed-in/inbox" }));
  return <ConversationScreen id={conversationId} query={query} />;
}
