import { queryOptions } from "@tanstack/react-query";
import { askInbox } from "../service/ask-inbox.ts";

/** A contact with custom data and conversations. */
export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ["contact", id],
    queryFn: ({ signal }) => askInbox("getContact", { params: { contact_id: id }, signal }),
  });
