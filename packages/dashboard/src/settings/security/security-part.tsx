import { Suspense } from "react";
import { useMay } from "../../service/me.ts";
import { lazyPart } from "../../ui/lazy-part.ts";
import { SignInRules } from "./sign-in-rules.tsx";

const SsoSettings = lazyPart(() => import("./sso-settings.tsx"), "SsoSettings", "sso");

/** How the team's agents sign in. */
export function SecurityPart() {
  const maySso = useMay("get-sso-settings");
  return (
    <>
      <SignInRules />
      {maySso && (
        <Suspense>
          <SsoSettings />
        </Suspense>
      )}
    </>
  );
}
