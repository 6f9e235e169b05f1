import { useParams, useSearch } from "@tanstack/react-router";
import { queryOf } from "../inbox/inbox-search.ts";
import { ConversationScreen } from "./conversation-screen.tsx";

/** The conversation of the address. Another one is another screen: nothing of the one before stays in it. */
export function ConversationPage() {
  const { conversationId } = useParams({ from: "/signed-in/inbox/$conversationId" });
  const query = queryOf(useSearch({ from: "/signed-in/inbox" }));
  return <ConversationScreen key={conversationId} id={conversationId} query={query} />;
}
