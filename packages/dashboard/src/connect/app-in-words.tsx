import type { AppRequest } from "@frontdesk/core/contract/session";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { askSession } from "../service/ask-session.ts";
import { useMe } from "../service/me.ts";
import { queries } from "../service/queries.ts";
import { t } from "../texts/texts.ts";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";

export type AskedApp = NonNullable<AppRequest["asked"]>;

/** Who asks, and where the browser goes next: what a person can judge it by. */
export function AppInWords({ asked: { name, host, redirect_host, redirect_kind } }: { asked: AskedApp }) {
  return (
    <ul className="flex list-disc flex-col gap-1 ps-5">
      <li>{host === null ? t("connect.unchecked", { name }) : t("connect.identifies", { host })}</li>
      <li>
        {redirect_kind === "website" && t("connect.backTo", { host: redirect_host })}
        {redirect_kind === "this-computer" && t("connect.toComputer", { host: redirect_host })}
        {redirect_kind === "program" && t("connect.toProgram")}
      </li>
    </ul>
  );
}

/** Whose answer it will be, and the way to another account. */
export function You() {
  const { agent } = useMe();
  const navigate = useNavigate();
  const router = useRouter();
  const change = async () => {
    try {
      await askSession("signOut");
      queries.clear();
      await navigate({ to: "/sign-in", search: { next: router.state.location.href } });
    } catch (error) {
      showProblem(problemText(error));
    }
  };
  return (
    <p className="text-meta text-subtle">
      {t("connect.you", { name: agent.name ?? agent.email, email: agent.email })}{" "}
      <button type="button" onClick={change} className="text-accent-text hover:underline">
        {t("connect.notYou")}
      </button>
    </p>
  );
}

/** The browser should have left: a link, for one that asks first whether it may open a program. */
export function Leaving({ name, url }: { name: string; url: string }) {
  return (
    <p role="status">
      {t("connect.leaving", { name })}{" "}
      <a href={url} className="text-accent-text hover:underline">
        {t("connect.continue")}
      </a>
    </p>
  );
}
