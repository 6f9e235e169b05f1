import { Link, useNavigate } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { showProblem, showToast } from "../../ui/toast.ts";
import { channelsChanged } from "./channels-query.ts";
import { signInToMailbox } from "./sign-in-to-mailbox.ts";

interface Failed {
  channelId: string | null;
  text: string;
  /** The provider's. */
  words: string | null;
}

/** Where a provider sends the browser back to: ends the sign-in, and goes on to the mailbox. */
export function SignInPart() {
  // Read before the router writes the address anew.
  const [query] = useState(() => location.search.slice(1));
  const [failed, setFailed] = useState<Failed>();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once: an answer is good once
  useEffect(() => {
    void endSignIn(query).then((end) => {
      if (end.text !== "") return setFailed(end);
      showToast(t("channels.oauth.done"));
      const params = { part: "channels", item: end.channelId ?? "" };
      return navigate({ to: "/settings/$part/$item", params, replace: true });
    });
  }, []);
  if (!failed) {
    return (
      <div role="status">
        <p className="mb-3 text-muted">{t("channels.oauth.ending")}</p>
        <SkeletonRows rows={3} height={60} />
      </div>
    );
  }
  const { channelId, text, words } = failed;
  return (
    <EmptyState icon={CircleAlert} title={t("channels.oauth.failed")} text={<Said text={text} words={words} />}>
      {channelId !== null && (
        <Button
          look="primary"
          onClick={() => signInToMailbox(channelId).catch((error) => showProblem(problemText(error)))}
        >
          {t("tryAgain")}
        </Button>
      )}
      <Link to="/settings/$part" params={{ part: "channels" }} className="self-center underline">
        {t("settings.channels")}
      </Link>
    </EmptyState>
  );
}

/** What it means, and below the provider's own words. */
function Said({ text, words }: { text: string; words: string | null }) {
  return (
    <>
      {text}
      {words && (
        <span dir="auto" className="mt-1 block break-words text-meta">
          {words}
        </span>
      )}
    </>
  );
}

/** Each answer is asked about once, however often React renders. */
const ended = new Map<string, Promise<Failed>>();

function endSignIn(query: string): Promise<Failed> {
  const known = ended.get(query) ?? askToEnd(query);
  ended.set(query, known);
  return known;
}

async function askToEnd(query: string): Promise<Failed> {
  try {
    const { channel_id, problem, words } = await askSession("endMailboxSignIn", { body: { query } });
    await channelsChanged();
    return { channelId: channel_id, text: problem === null ? "" : t(`channels.oauth.${problem}`), words };
  } catch (error) {
    return { channelId: null, text: problemText(error), words: null };
  }
}
