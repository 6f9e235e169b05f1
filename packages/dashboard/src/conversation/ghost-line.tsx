import { Sparkles } from "lucide-react";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Keys } from "../ui/keys.tsx";

/** Above the field: that a reply is suggested in it, and how it is taken. Read out without interrupting. */
export function GhostLine({ isThere, onTake }: { isThere: boolean; onTake(): void }) {
  return (
    <div role="status">
      {isThere && (
        <p className="flex items-center gap-2 px-1 pb-1 text-meta text-subtle">
          <Sparkles size={14} className="shrink-0 text-accent" aria-hidden="true" />
          <span className="flex-1">{t("copilot.suggested")}</span>
          <Button
            size="compact"
            look="quiet"
            // Before the field loses the focus, and the suggestion with it.
            onPointerDown={(event) => {
              event.preventDefault();
              onTake();
            }}
            onClick={onTake}
          >
            {t("copilot.take")}
            <Keys keys="Tab" />
          </Button>
        </p>
      )}
    </div>
  );
}
