import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem, showToast } from "../../ui/toast.ts";

interface Named {
  id: string;
  name: string;
}

/** What a changed role or status limits: the agent's API keys and assistants with more permissions. */
export interface ReducedAccess {
  agentName: string;
  keys: readonly Named[];
  assistants: readonly Named[];
}

/** Names the keys and assistants that are limited now, each with a button that revokes it for good. */
export function ReducedAccessDialog({
  reduced: { agentName, keys, assistants },
  onClose,
}: {
  reduced: ReducedAccess;
  onClose(): void;
}) {
  const [revoked, setRevoked] = useState<readonly string[]>([]);
  const revoke = async ({ id, name }: Named, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      showProblem(problemText(error));
      return;
    }
    await queries.invalidateQueries();
    showToast(t("apiKeys.revokedNow", { name }));
    const now = [...revoked, id];
    setRevoked(now);
    if ([...keys, ...assistants].every((each) => now.includes(each.id))) onClose();
  };
  const left = (things: readonly Named[]) => things.filter(({ id }) => !revoked.includes(id));
  return (
    <Dialog open onClose={onClose} title={t("team.reducedTitle")} text={t("team.reducedText", { name: agentName })}>
      <LimitedItems
        title={t("apiKeys.title")}
        things={left(keys)}
        onRevoke={(key) => revoke(key, () => askSession("revokeApiKey", { params: { id: key.id } }))}
      />
      <LimitedItems
        title={t("settings.assistants")}
        things={left(assistants)}
        onRevoke={(each) => revoke(each, () => rest.revokeAssistant({ params: { assistant: each.id } }))}
      />
    </Dialog>
  );
}

function LimitedItems({
  title,
  things,
  onRevoke,
}: {
  title: string;
  things: readonly Named[];
  onRevoke(thing: Named): Promise<void>;
}) {
  if (things.length === 0) return null;
  return (
    <section aria-label={title} className="mb-4 last:mb-0">
      <h3 className="mb-1 font-medium">{title}</h3>
      <ul>
        {things.map((thing) => (
          <li key={thing.id} className="flex items-center gap-3 border-line border-t py-2 first:border-t-0">
            <span className="min-w-0 flex-1 truncate" dir="auto">
              {thing.name}
            </span>
            <Revoke onRevoke={() => onRevoke(thing)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Revoke({ onRevoke }: { onRevoke(): Promise<void> }) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      disabled={busy}
      onClick={() => {
        setBusy(true);
        void onRevoke().finally(() => setBusy(false));
      }}
    >
      {t("team.revoke")}
    </Button>
  );
}
