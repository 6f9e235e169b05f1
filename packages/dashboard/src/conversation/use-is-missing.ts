import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { askInbox } from "../service/ask-inbox.ts";
import { ServiceError } from "../service/service-error.ts";

/** So long it may take to come. */
const PATIENCE_MS = 1_500;
const NOT_FOUND = 404;

/** Whether there is no such conversation: asked when it does not come. */
export function useIsMissing(id: string, isLoaded: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const { error } = useQuery({
    queryKey: ["is-missing", id],
    queryFn: () => askInbox("getConversation", { params: { conversation_id: id } }),
    enabled: isLate && !isLoaded,
    retry: false,
  });
  return error instanceof ServiceError && error.status === NOT_FOUND;
}
