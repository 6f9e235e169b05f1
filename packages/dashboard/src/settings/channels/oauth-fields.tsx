import { oauthProviders } from "@frontdesk/core/contract/channel-settings";
import { useQuery } from "@tanstack/react-query";
import { askSession } from "../../service/ask-session.ts";
import { t } from "../../texts/texts.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { type MailboxEdit, NameField, PasswordField } from "./advanced-mailbox-fields.tsx";
import type { OAuthDraft } from "./mailbox-draft.ts";

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

/** The team's own app: what it is registered with, and what the provider says of it. */
export function OAuthFields({ draft, set, problemOf, stored }: MailboxEdit) {
  const { oauth } = draft;
  const change = (next: Partial<OAuthDraft>) => set({ oauth: { ...oauth, ...next } });
  const { data } = useQuery({
    queryKey: ["mailbox-sign-in-url"],
    queryFn: () => askSession("getMailboxSignInUrl", {}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const redirectUri = data?.redirect_uri ?? "";
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="sr-only">{t("channels.oauth.legend")}</legend>
      <p className="text-muted">{t("channels.oauth.text")}</p>
      <Field label={t("channels.oauth.redirect")}>
        <TextInput dir="ltr" readOnly value={redirectUri} />
      </Field>
      <div>
        <CopyButton text={redirectUri} />
      </div>
      <NameField
        label={t("channels.oauth.clientId")}
        value={oauth.clientId}
        problem={problemOf("oauth.client_id")}
        onChange={(clientId) => change({ clientId })}
      />
      <PasswordField
        label={t("channels.oauth.clientSecret")}
        value={oauth.clientSecret}
        isStored={stored.clientSecret}
        problem={problemOf("oauth.client_secret")}
        onChange={(clientSecret) => change({ clientSecret })}
      />
      {oauth.provider === "microsoft" && (
        <NameField
          label={t("channels.oauth.tenant")}
          hint={t("channels.oauth.tenantHint")}
          value={oauth.tenant}
          problem={problemOf("oauth.tenant")}
          onChange={(tenant) => change({ tenant })}
        />
      )}
      {oauth.provider === "custom" && (
        <>
          <NameField
            label={t("channels.oauth.authorizeUrl")}
            value={oauth.authorizeUrl}
            problem={problemOf("oauth.authorize_url")}
            onChange={(authorizeUrl) => change({ authorizeUrl })}
          />
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
