import type { AssistantPermission } from "@frontdesk/core/domain/assistant-permissions";
import type { ChannelToGrant } from "@frontdesk/core/domain/channel";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { useMe } from "../service/me.ts";
import { permissionsQuery } from "../settings/assistants/assistants-query.ts";
import { type ChosenGrant, GrantFields, grantToSend } from "../settings/assistants/grant-fields.tsx";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { FormProblem } from "../ui/form.tsx";
import { AppInWords, type AskedApp, Leaving, You } from "./app-in-words.tsx";
import { useAnswer } from "./use-answer.ts";

/** An admin chooses what the app may do. Nothing has the focus at first, and no field sends anything with Enter. */
export function AskedToConnect({ request, asked }: { request: string; asked: AskedApp }) {
  const { team } = useMe();
  const { data: known } = useQuery(permissionsQuery);
  const { connection } = asked;
  const onlyReads = asked.resource === "readonly";
  const [changed, setChanged] = useState<Partial<ChosenGrant>>({});
  const reading = known?.filter(({ only_reads }) => only_reads).map(({ value }) => value as AssistantPermission) ?? [];
  const chosen: ChosenGrant = {
    permissions: (connection?.permissions as AssistantPermission[] | undefined) ?? reading,
    widgets: connection?.widgets ?? "all",
    channels: (connection?.channels as "all" | ChannelToGrant[] | undefined) ?? [],
    speaker: connection?.agent_id ?? "",
    ...changed,
  };
  const { busy, problem, leaving, answer } = useAnswer();
  const allow = () => askSession("connectApp", { body: { query: request, ...grantToSend(chosen) } });
  return (
    <SignInFrame width="wide" title={t("connect.title", { name: asked.name, team: team.name })}>
      <div className="flex flex-col gap-6">
        <AppInWords asked={asked} />
        {onlyReads && <p>{t("connect.onlyReads")}</p>}
        {connection && <p className="rounded-control bg-note px-3 py-2 text-note-ink">{t("connect.again")}</p>}
        <GrantFields
          value={chosen}
          before={chosen.channels}
          onlyReads={onlyReads}
          onChange={(change) => setChanged({ ...changed, ...change })}
        />
        <p className="text-muted">{t("connect.lasts")}</p>
        <FormProblem text={problem} />
        {leaving === undefined ? (
          <div className="flex flex-wrap gap-3">
            <Button look="primary" size="large" disabled={busy || known === undefined} onClick={() => answer(allow)}>
              {t("connect.allow")}
            </Button>
            <Button
              size="large"
              disabled={busy}
              onClick={() => answer(() => askSession("refuseApp", { body: { query: request } }))}
            >
              {t("cancel")}
            </Button>
          </div>
        ) : (
          <Leaving name={asked.name} url={leaving} />
        )}
        <You />
      </div>
    </SignInFrame>
  );
}
