import type { NamedFinding } from "@frontdesk/core/contract/session-channels";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { FormProblem, type FormState, useForm } from "../../ui/form.tsx";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { widgetsQuery } from "../widgets/widgets-query.ts";
import { CHECK_TIMEOUT_MS, channelChanged } from "./channels-query.ts";
import { CheckFindings, isFine } from "./check-findings.tsx";
import { emptyDraft, type MailboxDraft, needsSignIn, settingsOf, withServers } from "./mailbox-draft.ts";
import { MailboxFields } from "./mailbox-fields.tsx";
import { signInToMailbox } from "./sign-in-to-mailbox.ts";
import { useMailServers } from "./use-mail-servers.ts";

const NAME_MAX = 255;
const NOTHING_STORED = { inbound: false, outbound: false, clientSecret: false, privateKey: false };

/** Connects a mailbox: its servers are found, and everything is tried before it is saved. */
export function ConnectMailbox({ onClose, onMade }: { onClose(): void; onMade(id: string): void }) {
  const { draft, change, servers, find, filled } = useNewMailbox();
  const [name, setName] = useState("");
  const [widgetId, setWidgetId] = useState("");
  const [tried, setTried] = useState<Tried>();
  const { data: widgets } = useQuery(widgetsQuery);
  const home = widgetId || (widgets?.[0]?.id ?? "");
  const formId = useId();
  const unsaved = useUnsaved([draft, name, widgetId]);
  const findings = tried?.settings === JSON.stringify(settingsOf(draft)) ? tried.findings : undefined;
  const body = (of: MailboxDraft) => ({ channel: "email" as const, widget_id: home, settings: settingsOf(of) });
  /** Set by the button that tries it once more; Enter connects what was tried. */
  const isAgain = useRef(false);
  const form = useForm(async () => {
    const again = isAgain.current;
    isAgain.current = false;
    if (needsSignIn(draft)) {
      // There is nothing to try before an admin has signed in.
      const made = unsaved.saving(rest.createChannel({ body: { ...body(draft), name: name.trim() || null } }));
      const { data } = await made;
      await channelChanged(data);
      return signInToMailbox(data.id);
    }
    if (findings && !again) {
      const made = unsaved.saving(rest.createChannel({ body: { ...body(draft), name: name.trim() || null } }));
      const { data } = await made;
      await channelChanged(data);
      return onMade(data.id);
    }
    // Enter may be pressed before the servers are found.
    const whole = await filled();
    const asked = { body: body(whole), timeoutMs: CHECK_TIMEOUT_MS };
    const { findings: found } = await askSession("checkNewChannel", asked);
    setTried({ settings: JSON.stringify(settingsOf(whole)), findings: found });
  });
  const problemOf = (field: string) => form.problemOf(`settings.${field}`);
  return (
    <Dialog
      open
      onClose={() => unsaved.leave(onClose)}
      title={t("channels.connect")}
      text={t("channels.connectText")}
      width="wide"
      footer={
        <>
          <UnsavedMark unsaved={unsaved} short />
          <Submit
            formId={formId}
            form={form}
            findings={findings}
            isOAuth={needsSignIn(draft)}
            onAgain={() => {
              isAgain.current = true;
            }}
          />
        </>
      }
    >
      <form id={formId} {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <MailboxFields
          edit={{ draft, set: change, problemOf, stored: NOTHING_STORED }}
          servers={servers}
          isNew
          focus="address"
          onAddress={(address) => void find(address)}
        >
          <div className="grid gap-4 md:grid-cols-2">
            <Field label={t("channels.name")} hint={t("channels.nameHint")} problem={form.problemOf("name")}>
              <TextInput
                dir="auto"
                maxLength={NAME_MAX}
                autoComplete="off"
                value={name}
                onValueChange={(next) => setName(String(next))}
              />
            </Field>
            <Field label={t("channels.widget")} hint={t("channels.widgetHint")} problem={form.problemOf("widget_id")}>
              <Select value={home} onChange={({ target }) => setWidgetId(target.value)}>
                {widgets?.map(({ id, attributes }) => (
                  <option key={id} value={id}>
                    {attributes.name ?? id}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
        </MailboxFields>
        <div role="status" className="flex flex-col gap-3 empty:hidden">
          {form.busy && !findings && <p className="text-muted">{t("channels.testing")}</p>}
          {findings && <Result findings={findings} />}
        </div>
        <FormProblem text={form.problem} />
        {unsaved.question}
      </form>
    </Dialog>
  );
}

interface Tried {
  /** The settings that were tried, in JSON. */
  settings: string;
  findings: readonly NamedFinding[];
}

/** What is entered; the servers of its address are filled in, unless they were entered. */
function useNewMailbox() {
  const [draft, setDraft] = useState(emptyDraft);
  const [isOwn, setOwn] = useState(false);
  const servers = useMailServers();
  const find = async (address: string): Promise<MailboxDraft> => {
    const found = await servers.find(address);
    if (!found || isOwn) return draft;
    setDraft((now) => withServers(now, found));
    return withServers(draft, found);
  };
  return {
    draft,
    servers,
    change(change: Partial<MailboxDraft>) {
      if (change.inbound || change.outbound) setOwn(true);
      setDraft((now) => ({ ...now, ...change }));
    },
    find,
    filled: () => (draft.kind === "imap" ? find(draft.address) : Promise.resolve(draft)),
  };
}

/** Whether it works, and what does not. */
function Result({ findings }: { findings: readonly NamedFinding[] }) {
  const fine = isFine(findings);
  const place = useRef<HTMLDivElement>(null);
  // The form is longer than most screens.
  useEffect(() => void place.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div ref={place} className="flex scroll-mb-6 flex-col gap-3">
      <p className={fine ? "font-medium text-success" : "font-medium text-danger"}>
        {t(fine ? "channels.works" : "channels.worksNot")}
      </p>
      <CheckFindings findings={findings} />
      {!fine && <p className="text-muted">{t("channels.connectAnyway.text")}</p>}
    </div>
  );
}

/** Tries it first; then connects, also when something does not work. */
function Submit({
  formId,
  form,
  findings,
  isOAuth,
  onAgain,
}: {
  formId: string;
  form: FormState;
  findings: readonly NamedFinding[] | undefined;
  /** It is saved, and then signed in to. */
  isOAuth: boolean;
  onAgain(): void;
}) {
  const fine = findings === undefined || isFine(findings);
  if (isOAuth) {
    return (
      <Button type="submit" form={formId} look="primary" size="large" disabled={form.busy}>
        {t("channels.oauth.save")}
      </Button>
    );
  }
  return (
    <>
      {findings && !fine && (
        <Button type="submit" form={formId} size="large" disabled={form.busy} onClick={onAgain}>
          {t("channels.testAgain")}
        </Button>
      )}
      <Button type="submit" form={formId} look={fine ? "primary" : "plain"} size="large" disabled={form.busy}>
        {t(findings === undefined ? "channels.test" : fine ? "channels.connect" : "channels.connectAnyway")}
      </Button>
    </>
  );
}
