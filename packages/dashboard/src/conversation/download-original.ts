import { ROOT } from "../service/send.ts";
import { t } from "../texts/texts.ts";
import { showProblem } from "../ui/toast.ts";

/** Saves an email as it was sent. */
export const downloadOriginal = (messageId: string): Promise<void> =>
  saveOriginal(`/v1/messages/${encodeURIComponent(messageId)}/original`);

/**
 * A browser would save an error as well, so that is asked first.
 *
 * @param path below `/app/api`
 */
export async function saveOriginal(path: string): Promise<void> {
  const address = `${ROOT}/app/api${path}`;
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
