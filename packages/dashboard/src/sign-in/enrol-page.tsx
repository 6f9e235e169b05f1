import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { factorsQuery } from "../service/factors.ts";
import { meQuery, useMe } from "../service/me.ts";
import { queries } from "../service/queries.ts";
import { AddApp } from "../settings/profile/add-app.tsx";
import { AddPasskey } from "../settings/profile/add-passkey.tsx";
import { RecoveryCodes } from "../settings/profile/recovery-codes.tsx";
import { useLayer } from "../shell/shell-state.ts";
import { loadRefusalTexts } from "../texts/refusal-text.ts";
import { t } from "../texts/texts.ts";
import { loadTextsOf } from "../texts/texts-of-screens.ts";
import { Button } from "../ui/button.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";
import { SignInFrame } from "./sign-in-frame.tsx";
import { hasPasskeys } from "./use-passkey.ts";
import { VerifyDialog } from "./verify-dialog.tsx";

// Part of loading the page.
await Promise.all([loadTextsOf("security"), loadRefusalTexts()]);

/** For a session that reaches nothing else until its agent has added a second factor. */
export function EnrolPage() {
  const navigate = useNavigate();
  const { next } = useSearch({ from: "/enrol" });
  const layer = useLayer();
  const { team } = useMe();
  const { data: factors } = useQuery(factorsQuery);
  const [withApp, setWithApp] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const goOn = async () => {
    await queries.invalidateQueries({ queryKey: meQuery.queryKey });
    // The whole URL, with its query: an app may have asked for its consent.
    await navigate({ to: "/", ...(next !== undefined && { href: next }), replace: true });
  };
  const signOut = async () => {
    await askSession("signOut");
    queries.clear();
    await navigate({ to: "/sign-in", search: next === undefined ? {} : { next }, replace: true });
  };
  const added = (recoveryCodes: readonly string[]) =>
    recoveryCodes.length > 0 ? setCodes(recoveryCodes) : void leave(goOn());
  const leave = (work: Promise<void>) => work.catch((error) => showProblem(problemText(error)));
  return (
    <SignInFrame title={t("enrol.title")} text={t("enrol.text", { team: team.name })}>
      {factors && (withApp || !factors.passkeys_possible || !hasPasskeys()) && <AddApp onAdded={added} />}
      {factors && !withApp && factors.passkeys_possible && hasPasskeys() && (
        <>
          <h2 className="mb-2 font-medium">{t("passkeys.add")}</h2>
          <AddPasskey onAdded={added} />
          <Button className="mt-4 w-full" onClick={() => setWithApp(true)}>
            {t("enrol.useApp")}
          </Button>
        </>
      )}
      <Button look="quiet" className="mt-4 w-full" onClick={() => void leave(signOut())}>
        {t("own.signOut")}
      </Button>
      {layer === "verify" && <VerifyDialog />}
      {codes && <RecoveryCodes codes={codes} onClose={() => void leave(goOn())} />}
    </SignInFrame>
  );
}
