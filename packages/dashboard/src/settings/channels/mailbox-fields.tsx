import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { t } from "../../texts/texts.ts";
import { Field, TextInput } from "../../ui/field.tsx";
import { AdvancedMailboxFields, advancedFields, type MailboxEdit, PasswordField } from "./advanced-mailbox-fields.tsx";
import { signInOf, usesOAuth } from "./mailbox-draft.ts";
import { OAuthFields, SignInChoice } from "./oauth-fields.tsx";
import { FoundServers, ProviderHint } from "./provider-hint.tsx";
import type { MailServersSearch } from "./use-mail-servers.ts";

/** An address and a password; the rest is found, and can be changed. */
export function MailboxFields({
  edit,
  servers,
  isNew,
  focus,
  onAddress,
  children,
}: {
  edit: MailboxEdit;
  servers: MailServersSearch;
  isNew: boolean;
  /** What is entered first. */
  focus: "address" | "password";
  /** When the address is entered. */
  onAddress(address: string): void;
  /** More fields that are always shown. */
  children?: ReactNode;
}) {
  const { draft, set, problemOf, stored } = edit;
  const { address, kind, password, sendingSignIn } = draft;
  const isOAuth = usesOAuth(draft);
  // The password of sending is the same one.
  const passwordProblem =
    problemOf("inbound.password") ?? (sendingSignIn === "same" ? problemOf("outbound.password") : undefined);
  return (
    <>
      <Field label={t("channels.address")} problem={problemOf("address")}>
        <TextInput
          type="email"
          dir="ltr"
          required
          autoFocus={focus === "address"}
          autoComplete="off"
          spellCheck={false}
          placeholder="support@example.com"
          value={address}
          onValueChange={(next) => set({ address: String(next) })}
          onBlur={() => onAddress(address)}
        />
      </Field>
      {kind === "imap" && (
        <>
          <div role="status" className="flex flex-col gap-2 empty:hidden">
            {servers.isSearching && <p className="text-meta text-muted">{t("channels.searching")}</p>}
            {!servers.isSearching && <ProviderHint servers={servers.found} />}
          </div>
          {!isOAuth && (
            <PasswordField
              label={t("password")}
              value={password}
              isStored={stored.inbound}
              autoFocus={focus === "password"}
              problem={passwordProblem}
              onChange={(next) => set({ password: next })}
            />
          )}
          <SignInChoice {...edit} />
          {isOAuth && <OAuthFields {...edit} />}
          {!servers.isSearching && servers.found && isNew && <FoundServers draft={draft} servers={servers.found} />}
        </>
      )}
      {children}
      <Advanced {...edit} />
    </>
  );
}

/** Open when something in it is wrong. */
function Advanced(edit: MailboxEdit) {
  const [open, setOpen] = useState(false);
  const { draft, problemOf } = edit;
  const hidden = signInOf(draft) === "own" ? [...advancedFields, "outbound.password"] : advancedFields;
  const isWrong = hidden.some((field) => problemOf(field) !== undefined);
  return (
    <details open={open || isWrong} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group">
      <summary className="flex w-fit cursor-default items-center gap-1.5 py-1 font-medium hover:text-ink pointer-coarse:min-h-11">
        <ChevronRight
          size={14}
          className="shrink-0 text-muted transition-transform group-open:rotate-90 rtl:rotate-180 rtl:group-open:rotate-90"
          aria-hidden="true"
        />
        {t("channels.advanced")}
      </summary>
      <AdvancedMailboxFields {...edit} />
    </details>
  );
}
