import type { TeamTag } from "@frontdesk/core/contract";
import type { LiveConversation } from "@frontdesk/core/contract/live";
import { Plus, Sparkles } from "lucide-react";
import { useState } from "react";
import { rest } from "../service/rest.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";
import { tag } from "./conversation-actions.ts";

/** Tags that the model suggests when it is asked to, each added by the agent alone. Used with the conversation's id as its key. */
export function SuggestedTags({ conversation }: { conversation: LiveConversation }) {
  const [suggested, setSuggested] = useState<readonly TeamTag[]>();
  const [isAsking, setAsking] = useState(false);
  const left = suggested?.filter(({ id }) => !conversation.tags.some((one) => one.id === id));

  function ask() {
    setAsking(true);
    rest
      .suggestTags({ params: { conversation_id: conversation.id } })
      .then(({ data }) => setSuggested(data))
      .catch((error) => showProblem(problemText(error)))
      .finally(() => setAsking(false));
  }

  if (!left)
    return (
      <Button look="quiet" size="compact" disabled={isAsking} onClick={ask}>
        <Sparkles size={12} />
        {t("copilot.suggestTags")}
      </Button>
    );
  return (
    <span role="status" className="contents">
      {left.map(({ id, attributes: { name } }) => (
        <Button
          key={id}
          look="quiet"
          size="compact"
          aria-label={t("copilot.addTag", { name })}
          onClick={() => void tag([conversation], { name })}
        >
          <Plus size={12} />
          <bdi className="truncate">{name}</bdi>
        </Button>
      ))}
      {suggested?.length === 0 && <span className="text-muted">{t("copilot.noTagFits")}</span>}
    </span>
  );
}
