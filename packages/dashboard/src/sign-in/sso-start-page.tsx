import { useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { loadRefusalTexts } from "../texts/refusal-text.ts";
import { t } from "../texts/texts.ts";
import { problemText } from "../ui/problem-text.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

// Part of loading the page.
await loadRefusalTexts();

/** A window that goes to a provider, for a test. */
export function SsoTestPage() {
  const { provider } = useParams({ from: "/sso/$provider/test" });
  return <GoingTo begin={() => askSession("testSsoProvider", { params: { id: provider } })} />;
}

/** A window that goes to a provider, for a proof of who the agent is. */
export function SsoProofPage() {
  return <GoingTo begin={() => askSession("proveBySso")} />;
}

let begun: Promise<{ url: string }> | undefined;

function GoingTo({ begin }: { begin(): Promise<{ url: string }> }) {
  const [problem, setProblem] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, however often React renders
  useEffect(() => {
    begun ??= begin();
    begun.then(
      ({ url }) => location.replace(url),
      (error) => setProblem(problemText(error)),
    );
  }, []);
  return (
    <SignInFrame title={problem === undefined ? t("signIn.title") : t("sso.failed")}>
      <p role="status">{problem ?? t("sso.ending")}</p>
    </SignInFrame>
  );
}
