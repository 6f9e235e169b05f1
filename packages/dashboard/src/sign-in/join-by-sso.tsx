import { t } from "../texts/texts.ts";
import { BeginSso } from "./sso-sign-in.tsx";

/** For an invitation to a team whose people sign in with their company's account alone. */
export function JoinBySso({ email }: { email: string }) {
  return (
    <>
      <p className="mb-4">{t("sso.joinText", { email })}</p>
      <BeginSso label={t("sso.withCompany")} asked={{ email }} />
    </>
  );
}
