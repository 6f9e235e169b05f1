import { askSession } from "../service/ask-session.ts";
import { useMe } from "../service/me.ts";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { oneOf } from "../texts/names.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { FormProblem } from "../ui/form.tsx";
import { AppInWords, type AskedApp, Leaving, You } from "./app-in-words.tsx";
import { useAnswer } from "./use-answer.ts";

/** For members, who may not connect apps. */
export function AskAdmin({ request, asked }: { request: string; asked: AskedApp }) {
  const { team } = useMe();
  const { busy, problem, leaving, answer } = useAnswer();
  const title = t("connect.title", { name: asked.name, team: team.name });
  return (
    <SignInFrame title={title} text={t("connect.askAdmin", { names: oneOf(asked.admins) })}>
      <div className="flex flex-col gap-6">
        <AppInWords asked={asked} />
        <FormProblem text={problem} />
        {leaving === undefined ? (
          <Button
            size="large"
            className="self-start"
            disabled={busy}
            onClick={() => answer(() => askSession("refuseApp", { body: { query: request } }))}
          >
            {t("connect.back", { name: asked.name })}
          </Button>
        ) : (
          <Leaving name={asked.name} url={leaving} />
        )}
        <You />
      </div>
    </SignInFrame>
  );
}
