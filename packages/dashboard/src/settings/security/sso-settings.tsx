import { SsoDomains } from "./sso-domains.tsx";
import { SsoProviders } from "./sso-providers.tsx";

/** Company sign-in, for owners. */
export function SsoSettings() {
  return (
    <>
      <SsoProviders />
      <SsoDomains />
    </>
  );
}
