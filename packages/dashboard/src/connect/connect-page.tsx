import type { AppRequest } from "@frontdesk/core/contract/session";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { askSession } from "../service/ask-session.ts";
import { useLayer } from "../shell/shell-state.ts";
import { LazyVerifyDialog } from "../sign-in/lazy-verify-dialog.ts";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { loadRefusalTexts } from "../texts/refusal-text.ts";
import { t } from "../texts/texts.ts";
import { problemText } from "../ui/problem-text.ts";
import { AskAdmin } from "./ask-admin.tsx";
import { AskedToConnect } from "./asked-to-connect.tsx";
import { leaveFor } from "./leave-for.ts";

// Part of loading the page.
await loadRefusalTexts();

const PROBLEMS = ["unreadable", "unknown-app", "unknown-redirect", "off"] as const;

/** An app asks to be connected: `/oauth/authorize` has opened this page with its request. */
export function ConnectPage() {
  const { request, problem } = useSearch({ from: "/connect" });
  const layer = useLayer();
  if (request === undefined) return <Problem problem={problem} />;
  return (
    <>
      <Request request={request} />
      {layer === "verify" && <LazyVerifyDialog />}
    </>
  );
}

function Request({ request }: { request: string }) {
  const found = useQuery({
    queryKey: ["app-request", request],
    queryFn: () => askSession("getAppRequest", { body: { query: request } }),
    // The page is answered once; what is typed stays.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (found.data) return <Answer request={request} found={found.data} />;
  if (!found.isError) return null;
  return (
    <SignInFrame title={t("connect.problem")}>
      <p>{problemText(found.error)}</p>
    </SignInFrame>
  );
}

function Answer({ request, found: { problem, send_back, asked } }: { request: string; found: AppRequest }) {
  if (send_back !== null) return <SentBack url={send_back} />;
  if (!asked) return <Problem problem={problem ?? undefined} />;
  return asked.admins.length > 0 ? (
    <AskAdmin request={request} asked={asked} />
  ) : (
    <AskedToConnect request={request} asked={asked} />
  );
}

/** The app has made a mistake, and learns of it. */
function SentBack({ url }: { url: string }) {
  useEffect(() => leaveFor(url), [url]);
  return (
    <SignInFrame title={t("connect.problem")} text={t("connect.problem.unreadable")}>
      <a href={url} className="text-accent-text hover:underline">
        {t("connect.continue")}
      </a>
    </SignInFrame>
  );
}

function Problem({ problem }: { problem: string | undefined }) {
  const known = PROBLEMS.find((each) => each === problem) ?? "unreadable";
  return <SignInFrame title={t("connect.problem")} text={t(`connect.problem.${known}`)} />;
}
