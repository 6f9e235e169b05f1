import { ROOT } from "../service/send.ts";
import { t } from "../texts/texts.ts";
import { showProblem } from "../ui/toast.ts";

/** Saves an email as it was sent. A browser would save an error as well, so that is asked first. */
export async function downloadOriginal(messageId: string): Promise<void> {
  const address = `${ROOT}/app/api/v1/messages/${encodeURIComponent(messageId)}/original`;
  const isThere = await fetch(address, { method: "HEAD" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isThere) return void showProblem(t("email.noOriginal"));
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
