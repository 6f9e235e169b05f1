import type { LiveMessage } from "@frontdesk/core/contract/live";
import { Link } from "@tanstack/react-router";
import { BookOpen, ExternalLink } from "lucide-react";
import { t } from "../texts/texts.ts";
import { WhyButton } from "./why-button.tsx";

/** Below a message of the built-in AI: the articles it is taken from, and why the AI has said it. */
export function OfAi({ message: { sources = [], ai } }: { message: LiveMessage }) {
  const runId = ai?.run_id;
  if (sources.length === 0 && !runId) return null;
  return (
    <div className="flex max-w-full flex-wrap items-center justify-end gap-x-3 gap-y-1 pe-8 pt-1 text-meta text-subtle">
      {sources.length > 0 && (
        <ul aria-label={t("ai.sources")} className="flex min-w-0 flex-wrap justify-end gap-x-3 gap-y-1">
          {sources.map((source, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the sources of a message never change
            <li key={index} className="flex min-w-0 max-w-64 items-center gap-1">
              <Source {...source} />
            </li>
          ))}
        </ul>
      )}
      {runId && <WhyButton run={{ id: runId }} />}
    </div>
  );
}

function Source({ title, url, article_id }: NonNullable<LiveMessage["sources"]>[number]) {
  return (
    <>
      <BookOpen size={12} aria-hidden="true" className="shrink-0" />
      {article_id ? (
        <Link to="/knowledge/$articleId" params={{ articleId: article_id }} dir="auto" className={SOURCE}>
          {title}
        </Link>
      ) : (
        <span dir="auto" className="min-w-0 truncate">
          {title}
        </span>
      )}
      {url && (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t("ai.openSource", { title })}
          title={url}
          className="inline-flex size-6 shrink-0 items-center justify-center rounded-control hover:bg-hover hover:text-ink pointer-coarse:size-11"
        >
          <ExternalLink size={12} aria-hidden="true" />
        </a>
      )}
    </>
  );
}

const SOURCE = "min-w-0 truncate underline underline-offset-2 hover:text-ink pointer-coarse:py-3";
