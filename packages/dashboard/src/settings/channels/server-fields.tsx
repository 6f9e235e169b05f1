import { mailSecurities } from "@frontdesk/core/contract/channel-settings";
import { t } from "../../texts/texts.ts";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import type { MailSecurity, ServerDraft } from "./mailbox-draft.ts";

/** Where a mail server is. */
export function ServerFields({
  label,
  server,
  set,
  problemOf,
}: {
  label: string;
  server: ServerDraft;
  set(change: Partial<ServerDraft>): void;
  problemOf(name: keyof ServerDraft): string | undefined;
}) {
  return (
    <div className="grid gap-4 md:grid-cols-[minmax(0,1fr)_6rem_11rem]">
      <Field label={label} problem={problemOf("host")}>
        <TextInput
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          value={server.host}
          onValueChange={(host) => set({ host: String(host) })}
        />
      </Field>
      <Field label={t("channels.port")} problem={problemOf("port")}>
        <TextInput
          // Checked by the service: the browser could not show what is wrong in a folded section.
          inputMode="numeric"
          autoComplete="off"
          value={server.port}
          onValueChange={(port) => set({ port: String(port) })}
          className="numbers"
        />
      </Field>
      <Field label={t("channels.security")} problem={problemOf("security")}>
        <Select value={server.security} onChange={({ target }) => set({ security: target.value as MailSecurity })}>
          {mailSecurities.map((each) => (
            <option key={each} value={each}>
              {t(`channels.security.${each}`)}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}
