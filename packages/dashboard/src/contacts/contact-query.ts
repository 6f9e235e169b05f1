import { queryOptions } from "@tanstack/react-query";
import { askInbox } from "../service/ask-inbox.ts";

/** A contact with what is known of them and what was talked about. */
export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ["contact", id],
    queryFn: ({ signal }) => askInbox("getContact", { params: { contact_id: id }, signal }),
  });
