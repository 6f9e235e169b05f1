import type { Me } from "@frontdesk/core/contract/session";
import { KeyRound } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { loadRefusalTexts } from "../texts/refusal-text.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { FormProblem } from "../ui/form.tsx";
import { askForSignature, canSuggestPasskeys, hasPasskeys, passkeyProblem, sign, stopAsking } from "./use-passkey.ts";

/** Before the challenge of five minutes is over. */
const ASK_AGAIN_MS = 4 * 60_000;

/**
 * Signs in with a passkey: by a button, and by the suggestions of the browser under the field for the e-mail. Nothing is shown
 * where the browser or the address has none.
 *
 * @param suggests whether there is such a field
 */
export function PasskeySignIn({ suggests, onSignedIn }: { suggests: boolean; onSignedIn(me: Me): Promise<void> }) {
  const [isPossible, setPossible] = useState(!suggests && hasPasskeys());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const enter = useRef(onSignedIn);
  enter.current = onSignedIn;

  useEffect(() => {
    if (!suggests || !hasPasskeys()) return;
    let isOver = false;
    const suggest = async () => {
      const asked = await askForSignature();
      setPossible(asked !== undefined);
      if (asked === undefined || !(await canSuggestPasskeys()) || isOver) return;
      await enter.current(await signInWith(await sign(asked, { suggested: true })));
    };
    const ask = () =>
      suggest().catch((error) => {
        // One that was stopped, here or by the button, says nothing.
        if (!isOver && error?.name !== "AbortError") void explain(error).then(setProblem);
      });
    void ask();
    const timer = setInterval(ask, ASK_AGAIN_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
      stopAsking();
    };
  }, [suggests]);

  if (!isPossible) return null;
  const signIn = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const asked = await askForSignature();
      if (asked) await onSignedIn(await signInWith(await sign(asked)));
    } catch (error) {
      setProblem(await explain(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <Button size="large" disabled={busy} onClick={() => void signIn()}>
        <KeyRound size={16} aria-hidden="true" />
        {t("passkeys.signIn")}
      </Button>
      <FormProblem text={problem} />
    </div>
  );
}

const signInWith = (response: Record<string, unknown>) => askSession("signInWithPasskey", { body: { response } });

async function explain(error: unknown): Promise<string> {
  await loadRefusalTexts();
  return passkeyProblem(error);
}
