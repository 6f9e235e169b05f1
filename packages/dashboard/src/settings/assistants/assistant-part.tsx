import type { Assistant, CreatedAssistant } from "@frontdesk/core/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Ban, KeyRound, MoreHorizontal, Pause, Pencil, Play } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { agentsQuery } from "../../service/agents.ts";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { NotFound } from "../../shell/not-found.tsx";
import { ago, dateOf, momentOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { showProblem, showToast } from "../../ui/toast.ts";
import { AssistantCalls } from "./assistant-calls.tsx";
import { AssistantDialog } from "./assistant-dialog.tsx";
import { AssistantQueued } from "./assistant-queued.tsx";
import { AssistantSetUp } from "./assistant-set-up.tsx";
import { AssistantState } from "./assistant-state.tsx";
import { AssistantToken } from "./assistant-token.tsx";
import { AssistantTools } from "./assistant-tools.tsx";
import { assistantQuery, assistantsChanged } from "./assistants-query.ts";
import { appInWords, channelsInWords, useSpeaker, useWidgetNames } from "./grant-in-words.ts";

const NOT_FOUND = 404;
/** A placeholder for the token, which is shown only once. */
const TOKEN_PLACE = "YOUR_TOKEN";

/** One connection: its permissions, its calls, and how to stop it. */
export function AssistantPart({ id }: { id: string }) {
  const { data: assistant, error, isPending, refetch } = useQuery(assistantQuery(id));
  if (assistant) return <OneAssistant assistant={assistant} />;
  if (isPending) return <SkeletonRows rows={5} height={60} />;
  if (error && "status" in error && error.status === NOT_FOUND) return <NotFound />;
  return (
    <EmptyState icon={Ban} title={t("trouble.title")} text={problemText(error)}>
      <Button onClick={() => refetch()}>{t("tryAgain")}</Button>
    </EmptyState>
  );
}

function OneAssistant({ assistant }: { assistant: Assistant }) {
  const { id, attributes } = assistant;
  const [open, setOpen] = useState<"change" | "renew" | "revoke">();
  const [made, setMade] = useState<CreatedAssistant>();
  const close = () => setOpen(undefined);
  const back = useRef<HTMLAnchorElement>(null);
  // The link or dialog that led here is gone: the focus starts at the top.
  useEffect(() => {
    if (document.activeElement === document.body) back.current?.focus({ preventScroll: true });
  }, []);
  const isRevoked = attributes.state === "revoked";
  return (
    <>
      <Link
        ref={back}
        to="/settings/$part"
        params={{ part: "assistants" }}
        className="mb-4 inline-flex items-center gap-1.5 text-accent-text hover:underline pointer-coarse:min-h-11"
      >
        <ArrowLeft size={14} className="rtl:rotate-180" aria-hidden="true" />
        {t("settings.assistants")}
      </Link>
      <div>
        <Section
          title={attributes.name}
          text={<Why attributes={attributes} />}
          actions={
            <div className="flex items-center gap-2">
              <AssistantState assistant={assistant} />
              {!isRevoked && (
                <>
                  <Button onClick={() => setOpen("change")}>
                    <Pencil size={14} aria-hidden="true" />
                    {t("assistants.change")}
                  </Button>
                  <PauseButton assistant={assistant} />
                  <Menu
                    trigger={
                      <IconButton label={t("more")}>
                        <MoreHorizontal size={16} />
                      </IconButton>
                    }
                  >
                    {attributes.app === null && (
                      <MenuItem icon={<KeyRound size={14} />} onSelect={() => setOpen("renew")}>
                        {t("assistants.renew")}
                      </MenuItem>
                    )}
                    <MenuItem danger icon={<Ban size={14} />} onSelect={() => setOpen("revoke")}>
                      {t("assistants.revoke")}
                    </MenuItem>
                  </Menu>
                </>
              )}
            </div>
          }
        >
          <Facts assistant={assistant} />
        </Section>
        <AssistantTools assistant={assistant} />
        {!isRevoked && attributes.app === null && (
          <Section title={t("assistants.setUp")} text={t("assistants.setUpText", { place: TOKEN_PLACE })}>
            <AssistantSetUp token={TOKEN_PLACE} />
          </Section>
        )}
        <AssistantQueued id={id} />
        <AssistantCalls id={id} ended={isRevoked} />
      </div>
      {open === "change" && <AssistantDialog assistant={assistant} onClose={close} />}
      {open === "renew" && (
        <ConfirmDialog
          title={t("assistants.renewTitle")}
          text={t("assistants.renewText")}
          action={t("assistants.renew")}
          onClose={close}
          onConfirm={async () => {
            const { data } = await rest.renewAssistantToken({ params: { assistant: id } });
            await assistantsChanged();
            setMade(data);
          }}
        />
      )}
      {open === "revoke" && (
        <ConfirmDialog
          title={t("assistants.revokeTitle", { name: attributes.name })}
          text={t("assistants.revokeText")}
          action={t("assistants.revoke")}
          onClose={close}
          onConfirm={async () => {
            await setState(id, "revokeAssistant");
            showToast(t("assistants.revokedNow"));
          }}
        />
      )}
      <AssistantToken made={made} onClose={() => setMade(undefined)} />
    </>
  );
}

/** Why it has no tools, or has to be connected again. */
function Why({ attributes: { state, is_live, widgets, channels, app } }: { attributes: Assistant["attributes"] }) {
  if (state !== "active") return t(`assistants.why.${state}`);
  if (!is_live) {
    const isBlind = widgets.length === 0 && channels.length === 0;
    return t(app && !isBlind ? "assistants.why.maker" : "assistants.why.blind");
  }
  return app?.ended_at ? t("assistants.why.ended", { when: momentOf(app.ended_at) }) : undefined;
}

function PauseButton({ assistant: { id, attributes } }: { assistant: Assistant }) {
  const pause = async () => {
    await setState(id, "pauseAssistant");
    showToast(t("assistants.pausedNow"), () => void act(resume()));
  };
  const resume = async () => {
    await setState(id, "resumeAssistant");
    showToast(t("assistants.resumedNow"));
  };
  const act = (work: Promise<unknown>) => work.catch((error) => showProblem(problemText(error)));
  return attributes.state === "paused" ? (
    <Button onClick={() => act(resume())}>
      <Play size={14} aria-hidden="true" />
      {t("assistants.resume")}
    </Button>
  ) : (
    <Button onClick={() => act(pause())}>
      <Pause size={14} aria-hidden="true" />
      {t("assistants.pause")}
    </Button>
  );
}

/** Shows the answer at once. */
async function setState(id: string, change: "pauseAssistant" | "resumeAssistant" | "revokeAssistant"): Promise<void> {
  const { data } = await rest[change]({ params: { assistant: id } });
  queries.setQueryData(assistantQuery(id).queryKey, data);
  await assistantsChanged();
}

function Facts({ assistant: { attributes } }: { assistant: Assistant }) {
  const { data: agents } = useQuery(agentsQuery);
  const maker = agents?.find(({ id }) => id === attributes.created_by)?.attributes.name;
  const when = dateOf(attributes.created_at);
  const facts: [string, ReactNode][] = [
    [t("assistants.speaker"), useSpeaker(attributes.agent_id) ?? t("assistants.nobody")],
    [t("settings.widgets"), useWidgetNames(attributes.widgets)],
    [t("assistants.channels"), channelsInWords(attributes.channels)],
    attributes.app
      ? [t("assistants.app"), appInWords(attributes.app)]
      : [
          t("assistants.tokenLabel"),
          <bdi key="token" dir="ltr">
            …{attributes.token_ending}
          </bdi>,
        ],
    [t(attributes.app ? "assistants.allowed" : "assistants.made"), maker ? `${when} · ${maker}` : when],
    [
      t("assistants.lastCallLabel"),
      attributes.last_used_at ? ago(attributes.last_used_at) : t("assistants.neverCalled"),
    ],
  ];
  return (
    <dl className="grid gap-x-6 gap-y-3 md:grid-cols-3">
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt className="text-meta text-subtle">{label}</dt>
              <dd className="numbers break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
