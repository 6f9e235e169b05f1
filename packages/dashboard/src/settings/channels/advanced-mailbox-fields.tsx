import { afterImports, inboundKinds } from "@frontdesk/core/contract/channel-settings";
import { t } from "../../texts/texts.ts";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { type MailboxDraft, sendingSignIns, signInOf } from "./mailbox-draft.ts";
import { ServerFields } from "./server-fields.tsx";

export interface MailboxEdit {
  draft: MailboxDraft;
  set(change: Partial<MailboxDraft>): void;
  /** The service's error for a field of the settings: `inbound.host`. */
  problemOf(field: string): string | undefined;
  /** Which passwords are stored: a field that is left empty keeps its own. */
  stored: { inbound: boolean; outbound: boolean; clientSecret: boolean; privateKey: boolean };
}

/** The fields that few mailboxes need, by the paths of their errors. */
export const advancedFields = [
  ...["kind", "host", "port", "security", "username", "folder", "after_import"].map((name) => `inbound.${name}`),
  ...["host", "port", "security", "username"].map((name) => `outbound.${name}`),
];

/** Servers, folder, what happens to fetched mails, and how replies leave. */
export function AdvancedMailboxFields(edit: MailboxEdit) {
  return (
    <div className="flex flex-col gap-6 pt-4">
      <ReceivingFields {...edit} />
      <SendingFields {...edit} />
    </div>
  );
}

function ReceivingFields({ draft, set, problemOf }: MailboxEdit) {
  const { kind, inbound, username, folder, afterImport, sentFolder } = draft;
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-3 font-medium text-muted">{t("channels.receiving")}</legend>
      <Field
        label={t("channels.kind")}
        hint={kind === "http" ? t("channels.kindHttpHint") : undefined}
        problem={problemOf("inbound.kind")}
      >
        <Select value={kind} onChange={({ target }) => set({ kind: target.value as MailboxDraft["kind"] })}>
          {inboundKinds.map((each) => (
            <option key={each} value={each}>
              {t(`channels.kind.${each}`)}
            </option>
          ))}
        </Select>
      </Field>
      {kind === "imap" && (
        <>
          <ServerFields
            label={t("channels.inboundHost")}
            server={inbound}
            set={(change) => set({ inbound: { ...inbound, ...change } })}
            problemOf={(name) => problemOf(`inbound.${name}`)}
          />
          <NameField
            label={t("channels.username")}
            hint={t("channels.usernameHint")}
            value={username}
            problem={problemOf("inbound.username")}
            onChange={(next) => set({ username: next })}
          />
          <div className="grid gap-4 md:grid-cols-2">
            <NameField
              label={t("channels.folder")}
              value={folder}
              problem={problemOf("inbound.folder")}
              onChange={(next) => set({ folder: next })}
            />
            <Field label={t("channels.afterImport")} problem={problemOf("inbound.after_import")}>
              <Select
                value={afterImport}
                onChange={({ target }) => set({ afterImport: target.value as MailboxDraft["afterImport"] })}
              >
                {afterImports.map((each) => (
                  <option key={each} value={each}>
                    {t(`channels.afterImport.${each}`)}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <Switch
            label={t("channels.sentFolder")}
            hint={t("channels.sentFolderHint")}
            checked={sentFolder}
            onChange={(next) => set({ sentFolder: next })}
          />
        </>
      )}
    </fieldset>
  );
}

function SendingFields({ draft, set, problemOf, stored }: MailboxEdit) {
  const { sendsItself, outbound, sendingUsername, sendingPassword } = draft;
  const signIn = signInOf(draft);
  const offered = sendingSignIns.filter((each) => each !== "same" || draft.kind === "imap");
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-3 font-medium text-muted">{t("channels.sending")}</legend>
      <Field label={t("channels.sendsBy")}>
        <Select
          value={sendsItself ? "own" : "installation"}
          onChange={({ target }) => set({ sendsItself: target.value === "own" })}
        >
          <option value="own">{t("channels.sendsBy.own")}</option>
          <option value="installation">{t("channels.sendsBy.installation")}</option>
        </Select>
      </Field>
      {sendsItself && (
        <>
          <ServerFields
            label={t("channels.outboundHost")}
            server={outbound}
            set={(change) => set({ outbound: { ...outbound, ...change } })}
            problemOf={(name) => problemOf(`outbound.${name}`)}
          />
          <Field label={t("channels.sendingSignIn")}>
            <Select
              value={signIn}
              onChange={({ target }) => set({ sendingSignIn: target.value as MailboxDraft["sendingSignIn"] })}
            >
              {offered.map((each) => (
                <option key={each} value={each}>
                  {t(`channels.sendingSignIn.${each}`)}
                </option>
              ))}
            </Select>
          </Field>
        </>
      )}
      {sendsItself && signIn === "own" && (
        <div className="grid gap-4 md:grid-cols-2">
          <NameField
            label={t("channels.sendingUsername")}
            hint={t("channels.usernameHint")}
            value={sendingUsername}
            problem={problemOf("outbound.username")}
            onChange={(next) => set({ sendingUsername: next })}
          />
          <PasswordField
            label={t("channels.sendingPassword")}
            value={sendingPassword}
            isStored={stored.outbound}
            problem={problemOf("outbound.password")}
            onChange={(next) => set({ sendingPassword: next })}
          />
        </div>
      )}
    </fieldset>
  );
}

export function NameField({
  label,
  hint,
  value,
  problem,
  onChange,
}: {
  label: string;
  hint?: string;
  value: string;
  problem: string | undefined;
  onChange(value: string): void;
}) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <TextInput
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        value={value}
        onValueChange={(next) => onChange(String(next))}
      />
    </Field>
  );
}

/** A stored password is not shown, and stays when nothing is entered. */
export function PasswordField({
  label,
  value,
  isStored,
  autoFocus = false,
  problem,
  onChange,
}: {
  label: string;
  value: string;
  isStored: boolean;
  autoFocus?: boolean;
  problem: string | undefined;
  onChange(value: string): void;
}) {
  return (
    <Field label={label} hint={isStored ? t("channels.passwordKept") : undefined} problem={problem}>
      <TextInput
        type="password"
        dir="ltr"
        // Not the agent's own password for this page.
        autoComplete="new-password"
        autoFocus={autoFocus}
        placeholder={isStored ? t("channels.passwordSet") : undefined}
        value={value}
        onValueChange={(next) => onChange(String(next))}
      />
    </Field>
  );
}
