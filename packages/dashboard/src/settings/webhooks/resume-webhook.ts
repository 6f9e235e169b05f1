import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem, showToast } from "../../ui/toast.ts";
import { webhooksChanged } from "./webhooks-query.ts";

/** Resumes deliveries, for events from now on. */
export async function resumeWebhook(webhook: string): Promise<void> {
  try {
    await rest.updateWebhook({ params: { webhook }, body: { is_active: true } });
    await webhooksChanged();
    showToast(t("hooks.resumed"));
  } catch (error) {
    showProblem(problemText(error));
  }
}
