import { Ban } from "lucide-react";
import { useState } from "react";
import { askInbox } from "../service/ask-inbox.ts";
import { queries } from "../service/queries.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showProblem, showToast } from "../ui/toast.ts";
import { contactQuery } from "./contact-query.ts";

/** Messages of a blocked contact are refused, also in existing conversations. */
export function ContactBlock({ id, isBlocked }: { id: string; isBlocked: boolean }) {
  const [busy, setBusy] = useState(false);
  const set = async (blocked: boolean) => {
    setBusy(true);
    try {
      const params = { contact_id: id };
      const after = await askInbox(blocked ? "blockContact" : "unblockContact", { params });
      queries.setQueryData(contactQuery(id).queryKey, after);
      void queries.invalidateQueries({ queryKey: ["contacts"] });
      if (blocked) showToast(t("did.blocked"), () => void set(false));
      else showToast(t("did.unblocked"));
    } catch (error) {
      showProblem(problemText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button disabled={busy} onClick={() => set(!isBlocked)}>
      <Ban size={14} aria-hidden="true" />
      {isBlocked ? t("unblock") : t("block")}
    </Button>
  );
}
