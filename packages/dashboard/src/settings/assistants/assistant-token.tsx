import type { CreatedAssistant } from "@frontdesk/core/contract/resources";
import { t } from "../../texts/texts.ts";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { AssistantSetUp } from "./assistant-set-up.tsx";

/** A connection's token, shown once, with the configuration that it belongs in. */
export function AssistantToken({ made, onClose }: { made: CreatedAssistant | undefined; onClose(): void }) {
  const token = made?.attributes.token ?? "";
  return (
    <SecretDialog
      open={made !== undefined}
      title={t("assistants.token", { name: made?.attributes.name ?? "" })}
      text={t("assistants.tokenText")}
      label={t("assistants.tokenLabel")}
      value={token}
      onClose={onClose}
    >
      <section>
        <h3 className="mb-1.5 font-medium">{t("assistants.setUp")}</h3>
        <AssistantSetUp token={token} />
      </section>
    </SecretDialog>
  );
}
