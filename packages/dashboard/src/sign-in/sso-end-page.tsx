import type { SsoTest } from "@frontdesk/core/contract/session-sso";
import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { ROOT_PATH } from "../service/send.ts";
import { ServiceError } from "../service/service-error.ts";
import { loadRefusalTexts } from "../texts/refusal-text.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { problemText } from "../ui/problem-text.ts";
import { SignInFrame } from "./sign-in-frame.tsx";
import { sayProven } from "./sso-proof.tsx";

// Part of loading the page.
await loadRefusalTexts();

type End = Awaited<ReturnType<typeof askToEnd>>;
type Linked = Awaited<ReturnType<typeof askSession<"confirmSsoLink">>>;

const SecondStep = lazyPart(() => import("./second-step.tsx"), "SecondStep", "security");

/** Where a provider sends the browser back to: ends the sign-in, the confirmation, the link or the test that was begun. */
export function SsoEndPage() {
  const { provider } = useParams({ from: "/sso/$provider" });
  // Read before the router writes the address anew; a code does not belong in the history.
  const [query] = useState(() => location.search.slice(1));
  const [end, setEnd] = useState<End>();
  const [problem, setProblem] = useState<string>();
  const [linked, setLinked] = useState<Linked>();
  useEffect(() => {
    history.replaceState(history.state, "", location.pathname);
    endOnce(provider, query).then(setEnd, (error) => setProblem(whyNot(error)));
  }, [provider, query]);
  useEffect(() => {
    if (end?.outcome === "signed-in" || end?.outcome === "linked") goOn(end.next);
    if (end?.outcome === "verified") sayProven();
    if (linked && !linked.second_step) goOn(linked.next);
  }, [end, linked]);
  if (problem !== undefined) {
    return (
      <SignInFrame title={t("sso.failed")}>
        <p role="alert">{problem}</p>
        <Link to="/sign-in" className="mt-4 block text-center text-accent-text hover:underline">
          {t("sso.back")}
        </Link>
      </SignInFrame>
    );
  }
  const asked = end?.second_step ?? linked?.second_step;
  if (asked) {
    const next = end?.next ?? linked?.next ?? null;
    return (
      <Suspense>
        <SecondStep asked={asked} onSignedIn={async () => goOn(next)} onBack={() => goOn("/sign-in")} />
      </Suspense>
    );
  }
  switch (end?.outcome) {
    case "password-needed":
      return <PasswordOnce email={end.email ?? ""} provider={end.provider_name} onLinked={setLinked} />;
    case "tested":
      return end.test && <Tested test={end.test} provider={end.provider_name} />;
    case "verified":
      return (
        <SignInFrame title={t("sso.provenTitle")}>
          <p role="status">{t("sso.closeWindow")}</p>
        </SignInFrame>
      );
    default:
      return (
        <SignInFrame title={t("signIn.title")}>
          <p role="status">{t("sso.ending")}</p>
        </SignInFrame>
      );
  }
}

const whyNot = (error: unknown): string =>
  error instanceof ServiceError && error.body.reason === "account-deactivated"
    ? t("signIn.deactivated")
    : problemText(error);

/** The account has a password: it links the company's account, once. */
function PasswordOnce({
  email,
  provider,
  onLinked,
}: {
  email: string;
  provider: string;
  onLinked(linked: Linked): void;
}) {
  const form = useForm(async ({ password = "" }) =>
    onLinked(await askSession("confirmSsoLink", { body: { password } })),
  );
  return (
    <SignInFrame title={t("sso.onceTitle")} text={t("sso.onceText", { provider, email })}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <input type="hidden" name="username" autoComplete="username" defaultValue={email} />
        <Field label={t("password")} problem={form.problemOf("password")}>
          <TextInput name="password" type="password" autoComplete="current-password" required autoFocus />
        </Field>
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("sso.linkAndSignIn")}
        </Button>
      </form>
    </SignInFrame>
  );
}

function Tested({
  test: { result, problem, agent, email, subject, name, groups },
  provider,
}: {
  test: SsoTest;
  provider: string;
}) {
  const who = agent ?? email ?? "";
  return (
    <SignInFrame title={t("sso.testTitle", { provider })}>
      <p role="status" className="font-medium">
        {result === "refused" ? t(`sso.refused.${problem as "no-email"}`) : t(`sso.would.${result}`, { who })}
      </p>
      <dl className="mt-4 flex flex-col gap-2 border-line border-t pt-4">
        <Fact label={t("email")}>{email}</Fact>
        <Fact label={t("sso.testName")}>{name}</Fact>
        <Fact label={t("sso.testSubject")}>{subject}</Fact>
        <Fact label={t("sso.testGroups")}>{groups.join(", ")}</Fact>
      </dl>
      <p className="mt-4 text-muted">{t("sso.testNothing")}</p>
    </SignInFrame>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-meta text-muted">{label}</dt>
      <dd dir="auto" className="aligned break-words">
        {children || "–"}
      </dd>
    </div>
  );
}

/** Each answer is asked about once, however often React renders. */
const ended = new Map<string, Promise<End>>();

function endOnce(provider: string, query: string): Promise<End> {
  const known = ended.get(query) ?? askToEnd(provider, query);
  ended.set(query, known);
  return known;
}

function askToEnd(provider: string, query: string) {
  return askSession("endSso", { body: { provider, query } });
}

/** Loads the dashboard again, for the agent who is signed in now. `next` cannot lead elsewhere: our own address is put before it. */
function goOn(next: string | null): void {
  location.replace(`${ROOT_PATH}/app${next ?? "/"}`);
}
