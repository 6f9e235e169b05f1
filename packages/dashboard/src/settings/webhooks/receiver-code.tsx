import { VERIFY_EXAMPLE } from "@frontdesk/core/contract/verify-example";
import { ROOT } from "../../service/send.ts";
import { t } from "../../texts/texts.ts";
import { CodeToCopy } from "../../ui/copy-button.tsx";

/** How a receiver verifies a delivery, in Node; other languages are in the guide. */
export function ReceiverCode() {
  return (
    <div>
      <p className="mb-1 font-medium">{t("hooks.verify")}</p>
      <p className="mb-2 max-w-prose text-muted">
        {t("hooks.verifyText")}{" "}
        <a href={`${ROOT}/docs#Events`} target="_blank" rel="noreferrer" className="text-accent-text underline">
          {t("hooks.reference")}
        </a>
      </p>
      <CodeToCopy label={t("hooks.verify")} text={VERIFY_EXAMPLE} look="plain" lines />
    </div>
  );
}

/** Sends a test event from a terminal, with a key that may. */
export function testCommand(webhookId: string): string {
  return `curl -s -X POST -H "X-API-KEY: $FRONTDESK_API_KEY" "${ROOT}/api/v1/webhooks/${webhookId}/test"`;
}
