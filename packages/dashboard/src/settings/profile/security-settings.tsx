import type { OwnFactors } from "@frontdesk/core/contract/session-factors";
import { FEW_RECOVERY_CODES } from "@frontdesk/core/domain/factors";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { factorsQuery, refreshFactors } from "../../service/factors.ts";
import { queries } from "../../service/queries.ts";
import { ago, dateOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showNews, showProblem, showToast } from "../../ui/toast.ts";
import { AddApp } from "./add-app.tsx";
import { browserName } from "./browser-name.ts";
import { FactorLine } from "./factor-line.tsx";
import { PasskeyList } from "./passkey-list.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** What the agent signs in with besides the password, and the browsers that are spared it. */
export function SecuritySettings() {
  const { data } = useQuery(factorsQuery);
  const [codes, setCodes] = useState<readonly string[]>();
  if (!data) return <Section title={t("factors.title")} text={t("factors.text")} />;
  const hasFactor = data.app !== null || data.passkeys.length > 0;
  const added = async (text: string, recoveryCodes: readonly string[]) => {
    await refreshFactors();
    sayAdded(text);
    setCodes(recoveryCodes);
  };
  return (
    <Section
      title={t("factors.title")}
      text={data.is_required ? `${t("factors.text")} ${t("factors.required")}` : t("factors.text")}
    >
      <ul className="flex flex-col">
        <PasskeyList factors={data} onAdded={(text, recoveryCodes) => void added(text, recoveryCodes)} />
        <App app={data.app} onAdded={(text, recoveryCodes) => void added(text, recoveryCodes)} />
        {hasFactor && <Recovery left={data.recovery_codes} onCodes={setCodes} />}
      </ul>
      {data.trusted_browsers.length > 0 && <TrustedBrowsers browsers={data.trusted_browsers} />}
      {codes && codes.length > 0 && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Section>
  );
}

/** @param text what was added */
function sayAdded(text: string): void {
  // The other browsers may be why it was added.
  showNews(text, { label: t("profile.endOthers"), run: () => void endOthers() });
}

function App({ app, onAdded }: { app: OwnFactors["app"]; onAdded(text: string, codes: readonly string[]): void }) {
  const [open, setOpen] = useState<"add" | "remove">();
  const close = () => setOpen(undefined);
  const used = app?.last_used_at ? t("factors.lastUsed", { when: ago(app.last_used_at) }) : t("factors.neverUsed");
  return (
    <FactorLine title={t("factors.app")} text={app ? used : t("factors.appText")}>
      {app ? (
        <Button size="compact" aria-label={t("factors.removeApp")} onClick={() => setOpen("remove")}>
          {t("factors.remove")}
        </Button>
      ) : (
        <Button onClick={() => setOpen("add")}>{t("factors.addApp")}</Button>
      )}
      {open === "add" && (
        <Dialog open onClose={close} title={t("factors.addApp")}>
          <AddApp
            onAdded={(codes) => {
              close();
              onAdded(t("app.added"), codes);
            }}
          />
        </Dialog>
      )}
      {open === "remove" && app && (
        <ConfirmDialog
          title={t("factors.removeApp")}
          text={t("factors.removeAppText")}
          action={t("factors.remove")}
          onConfirm={async () => {
            await askSession("removeFactor", { params: { id: app.id } });
            await refreshFactors();
            showToast(t("factors.appRemoved"));
          }}
          onClose={close}
        />
      )}
    </FactorLine>
  );
}

async function endOthers(): Promise<void> {
  try {
    await askSession("endOtherSessions");
    await queries.invalidateQueries({ queryKey: ["sessions"] });
  } catch (error) {
    showProblem(problemText(error));
  }
}

function Recovery({ left, onCodes }: { left: number; onCodes(codes: readonly string[]): void }) {
  const [asking, setAsking] = useState(false);
  const isFew = left <= FEW_RECOVERY_CODES;
  return (
    <FactorLine
      title={t("factors.recovery")}
      text={
        <>
          {t("factors.left", { count: left })}
          {isFew && <span className="block text-warning">{t("factors.few")}</span>}
        </>
      }
    >
      <Button size="compact" onClick={() => setAsking(true)}>
        {t("factors.renew")}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t("factors.renewTitle")}
          text={t("factors.renewText")}
          action={t("factors.renew")}
          look="primary"
          onConfirm={async () => {
            const { recovery_codes } = await askSession("renewRecoveryCodes");
            await refreshFactors();
            onCodes(recovery_codes);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </FactorLine>
  );
}

function TrustedBrowsers({ browsers }: { browsers: OwnFactors["trusted_browsers"] }) {
  const end = (id: string) =>
    askSession("endBrowserTrust", { params: { id } }).then(refreshFactors, (error) => showProblem(problemText(error)));
  return (
    <>
      <h3 className="mt-5 mb-1 font-medium">{t("factors.trusted")}</h3>
      <ul className="flex flex-col">
        {browsers.map(({ id, user_agent, trusted_until }) => (
          <FactorLine
            key={id}
            title={browserName(user_agent)}
            text={t("factors.trustedUntil", { when: dateOf(trusted_until) })}
          >
            <Button size="compact" onClick={() => void end(id)}>
              {t("factors.endTrust")}
            </Button>
          </FactorLine>
        ))}
      </ul>
    </>
  );
}
