import { SignInRules } from "./sign-in-rules.tsx";

/** How the team's agents sign in. */
export function SecurityPart() {
  return <SignInRules />;
}
