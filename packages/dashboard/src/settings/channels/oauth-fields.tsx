import { oauthGrants, oauthProviders } from "@frontdesk/core/contract/channel-settings";
import { useQuery } from "@tanstack/react-query";
import { askSession } from "../../service/ask-session.ts";
import { t } from "../../texts/texts.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Field, Select, TextArea, TextInput } from "../../ui/field.tsx";
import { type MailboxEdit, NameField, PasswordField } from "./advanced-mailbox-fields.tsx";
import { type OAuthDraft, usesClientId, usesClientSecret, usesKey } from "./mailbox-draft.ts";

/** How a mailbox is signed in to: with a password, or with the team's own app at a provider. */
export function SignInChoice({ draft, set, problemOf }: MailboxEdit) {
  const { auth, oauth } = draft;
  return (
    <Field label={t("channels.signIn")} problem={problemOf("inbound.auth") ?? problemOf("oauth")}>
      <Select
        value={auth === "password" ? auth : oauth.provider}
        onChange={({ target }) =>
          set(
            target.value === "password"
              ? { auth: "password" }
              : { auth: "oauth", oauth: { ...oauth, provider: target.value as OAuthDraft["provider"] } },
          )
        }
      >
        {(["password", ...oauthProviders] as const).map((each) => (
          <option key={each} value={each}>
            {t(`channels.signIn.${each}`)}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** The team's own app: how it gets into the mailbox, what it is registered with, and what the provider says of it. */
export function OAuthFields(edit: MailboxEdit) {
  const { draft, set, problemOf, stored } = edit;
  const { oauth } = draft;
  const { provider, grant } = oauth;
  const isService = grant === "service";
  const change = (next: Partial<OAuthDraft>) => set({ oauth: { ...oauth, ...next } });
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="sr-only">{t("channels.oauth.legend")}</legend>
      <Field label={t("channels.oauth.grant")} problem={problemOf("oauth.grant")}>
        <Select value={grant} onChange={({ target }) => change({ grant: target.value as OAuthDraft["grant"] })}>
          {oauthGrants.map((each) => (
            <option key={each} value={each}>
              {t(`channels.oauth.grant.${each}`)}
            </option>
          ))}
        </Select>
      </Field>
      <p className="text-muted">{t(isService ? `channels.oauth.service.${provider}` : "channels.oauth.text")}</p>
      {!isService && <RedirectUri />}
      {usesClientId(oauth) && (
        <NameField
          label={t("channels.oauth.clientId")}
          value={oauth.clientId}
          problem={problemOf("oauth.client_id")}
          onChange={(clientId) => change({ clientId })}
        />
      )}
      {usesClientSecret(oauth) && (
        <PasswordField
          label={t("channels.oauth.clientSecret")}
          value={oauth.clientSecret}
          isStored={stored.clientSecret}
          problem={problemOf("oauth.client_secret")}
          onChange={(clientSecret) => change({ clientSecret })}
        />
      )}
      {usesKey(oauth) && (
        <KeyField
          isOptional={provider === "custom"}
          isStored={stored.privateKey}
          value={oauth.privateKey}
          // The key file has the client ID of a service account of Google.
          problem={problemOf("oauth.private_key") ?? (provider === "google" ? problemOf("oauth.client_id") : undefined)}
          onChange={(privateKey) => change({ privateKey })}
        />
      )}
      {provider === "microsoft" && (
        <NameField
          label={t("channels.oauth.tenant")}
          hint={t(isService ? "channels.oauth.tenantOwn" : "channels.oauth.tenantHint")}
          value={oauth.tenant}
          problem={problemOf("oauth.tenant")}
          onChange={(tenant) => change({ tenant })}
        />
      )}
      {provider === "custom" && (
        <>
          {!isService && (
            <NameField
              label={t("channels.oauth.authorizeUrl")}
              value={oauth.authorizeUrl}
              problem={problemOf("oauth.authorize_url")}
              onChange={(authorizeUrl) => change({ authorizeUrl })}
            />
          )}
          <NameField
            label={t("channels.oauth.tokenUrl")}
            value={oauth.tokenUrl}
            problem={problemOf("oauth.token_url")}
            onChange={(tokenUrl) => change({ tokenUrl })}
          />
          <NameField
            label={t("channels.oauth.scope")}
            value={oauth.scope}
            problem={problemOf("oauth.scope")}
            onChange={(scope) => change({ scope })}
          />
        </>
      )}
    </fieldset>
  );
}

function RedirectUri() {
  const { data } = useQuery({
    queryKey: ["mailbox-sign-in-url"],
    queryFn: () => askSession("getMailboxSignInUrl", {}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const redirectUri = data?.redirect_uri ?? "";
  return (
    <>
      <Field label={t("channels.oauth.redirect")}>
        <TextInput dir="ltr" readOnly value={redirectUri} />
      </Field>
      <div>
        <CopyButton text={redirectUri} />
      </div>
    </>
  );
}

/** A stored key is not shown, and stays when nothing is entered. */
function KeyField({
  isOptional,
  isStored,
  value,
  problem,
  onChange,
}: {
  isOptional: boolean;
  isStored: boolean;
  value: string;
  problem: string | undefined;
  onChange(value: string): void;
}) {
  const hint = isStored ? "channels.keyKept" : isOptional ? "channels.oauth.keyOptional" : "channels.oauth.keyHint";
  return (
    <Field label={t("channels.oauth.key")} hint={t(hint)} problem={problem}>
      <TextArea
        rows={4}
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        placeholder={isStored ? t("channels.passwordSet") : undefined}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="font-mono text-meta"
      />
    </Field>
  );
}
