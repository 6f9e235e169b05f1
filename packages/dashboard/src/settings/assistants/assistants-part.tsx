import type { Assistant, CreatedAssistant } from "@frontdesk/core/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Bot, ChevronRight, Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../service/me.ts";
import { ago } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { AssistantDialog } from "./assistant-dialog.tsx";
import { AssistantState } from "./assistant-state.tsx";
import { AssistantToken } from "./assistant-token.tsx";
import { assistantsQuery } from "./assistants-query.ts";
import { ConnectAnApp } from "./connect-an-app.tsx";
import { appInWords, useSpeaker, useWidgetNames } from "./grant-in-words.ts";

/** The connections of programs that read, answer and sort conversations. */
export function AssistantsPart() {
  const found = useQuery(assistantsQuery);
  const mayConnect = useMay("create-assistant");
  const [connecting, setConnecting] = useState(false);
  const [made, setMade] = useState<CreatedAssistant>();
  const [withRevoked, setWithRevoked] = useState(false);
  const navigate = useNavigate();
  const all = found.data ?? [];
  const revoked = all.filter(({ attributes }) => attributes.state === "revoked");
  const shown = withRevoked ? all : all.filter(({ attributes }) => attributes.state !== "revoked");
  return (
    <>
      <Section
        title={t("settings.assistants")}
        text={t("assistants.text")}
        actions={
          mayConnect && (
            <Button look="primary" onClick={() => setConnecting(true)}>
              <Plus size={14} aria-hidden="true" />
              {t("assistants.add")}
            </Button>
          )
        }
      >
        {found.isPending && <SkeletonRows rows={3} height={60} />}
        {found.isError && (
          <EmptyState icon={Bot} title={t("trouble.title")} text={problemText(found.error)}>
            <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
          </EmptyState>
        )}
        {found.isSuccess && shown.length === 0 && (
          <EmptyState icon={Bot} title={t("assistants.none")} text={t("assistants.noneText")} />
        )}
        <ul className="-mx-2">
          {shown.map((assistant) => (
            <li key={assistant.id} className="border-line border-t first:border-t-0">
              <Row assistant={assistant} />
            </li>
          ))}
        </ul>
        {revoked.length > 0 && (
          <Button look="quiet" size="compact" className="mt-3" onClick={() => setWithRevoked(!withRevoked)}>
            {withRevoked ? t("assistants.hideRevoked") : t("assistants.showRevoked", { count: revoked.length })}
          </Button>
        )}
        {connecting && <AssistantDialog onClose={() => setConnecting(false)} onMade={setMade} />}
        <AssistantToken
          made={made}
          onClose={() => {
            setMade(undefined);
            if (made) void navigate({ to: "/settings/$part/$item", params: { part: "assistants", item: made.id } });
          }}
        />
      </Section>
      {mayConnect && <ConnectAnApp />}
    </>
  );
}

function Row({ assistant }: { assistant: Assistant }) {
  const { name, state, last_used_at, app } = assistant.attributes;
  return (
    <Link
      to="/settings/$part/$item"
      params={{ part: "assistants", item: assistant.id }}
      className="flex min-h-15 items-center gap-3 rounded-control px-2 py-2.5 hover:bg-hover"
    >
      <span
        className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent-text"
        aria-hidden="true"
      >
        <Bot size={16} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          <AssistantState assistant={assistant} />
        </span>
        <span className="block truncate text-meta text-subtle">
          {app && `${appInWords(app)} · `}
          <Grant assistant={assistant} />
        </span>
      </span>
      {state !== "revoked" && (
        <span className="numbers shrink-0 text-meta text-subtle max-md:hidden">
          {last_used_at ? t("assistants.lastCall", { when: ago(last_used_at) }) : t("assistants.neverCalled")}
        </span>
      )}
      <ChevronRight size={16} className="shrink-0 text-subtle rtl:rotate-180" aria-hidden="true" />
    </Link>
  );
}

/** The agent it replies as, and its widgets. */
function Grant({ assistant: { attributes } }: { assistant: Assistant }) {
  const speaker = useSpeaker(attributes.agent_id);
  const widgets = useWidgetNames(attributes.widgets);
  return `${speaker ? t("assistants.speaksFor", { name: speaker }) : t("assistants.noSpeaker")} · ${widgets}`;
}
