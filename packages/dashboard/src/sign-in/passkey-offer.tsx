import { platformAuthenticatorIsAvailable } from "@simplewebauthn/browser";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readLocal, writeLocal } from "../local-storage.ts";
import { factorsQuery, refreshFactors } from "../service/factors.ts";
import { useMe } from "../service/me.ts";
import { AddPasskey } from "../settings/profile/add-passkey.tsx";
import { RecoveryCodes } from "../settings/profile/recovery-codes.tsx";
import { t } from "../texts/texts.ts";
import { loadTextsOf } from "../texts/texts-of-screens.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { showToast } from "../ui/toast.ts";

// Part of loading it.
await loadTextsOf("security");

/** Offers a passkey to an agent who has none, where the device has a finger, face or PIN to ask for; until it is declined there. */
export function PasskeyOffer() {
  const { agent } = useMe();
  const declined = `passkey-declined:${agent.id}`;
  const { data: factors } = useQuery(factorsQuery);
  const { data: isPossible } = useQuery({ queryKey: ["own-authenticator"], queryFn: platformAuthenticatorIsAvailable });
  const [isOver, setOver] = useState(() => readLocal(declined) === true);
  const [adding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const decline = () => {
    writeLocal(declined, true);
    setOver(true);
  };
  const added = (recoveryCodes: readonly string[]) => {
    setAdding(false);
    setOver(true);
    setCodes(recoveryCodes);
    showToast(t("passkeys.added"));
    void refreshFactors();
  };
  const isOffered = !isOver && isPossible && factors?.passkeys_possible && factors.passkeys.length === 0;
  return (
    <>
      {isOffered && (
        <aside
          aria-label={t("passkeys.title")}
          className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-line border-b bg-surface px-4 py-1.5"
        >
          <span>{t("passkeys.offer")}</span>
          <Button size="compact" onClick={() => setAdding(true)}>
            {t("passkeys.add")}
          </Button>
          <Button look="quiet" size="compact" onClick={decline}>
            {t("passkeys.decline")}
          </Button>
        </aside>
      )}
      {adding && (
        <Dialog open onClose={() => setAdding(false)} title={t("passkeys.add")}>
          <AddPasskey onAdded={added} />
        </Dialog>
      )}
      {codes.length > 0 && <RecoveryCodes codes={codes} onClose={() => setCodes([])} />}
    </>
  );
}
