import { Link } from "@tanstack/react-router";
import { t } from "../texts/texts.ts";

const CONVERSATION_ID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/;

/** What the service says. The id of another conversation is a link to it. */
export function LineText({ text }: { text: string }) {
  const [id] = CONVERSATION_ID.exec(text) ?? [];
  if (!id) return <bdi>{text}</bdi>;
  const [before, after] = text.split(id, 2);
  return (
    <bdi>
      {before}
      <Link
        to="/inbox/$conversationId"
        params={{ conversationId: id }}
        search={true}
        className="font-medium text-accent-text hover:underline"
      >
        {t("openConversation")}
      </Link>
      {after}
    </bdi>
  );
}
