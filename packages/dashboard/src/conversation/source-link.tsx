import type { CopilotSource } from "@frontdesk/core/domain/ai/copilot";
import { Link } from "@tanstack/react-router";

/** An article that a text of the model rests on. @param isBeside opens it in a tab of its own */
export function SourceLink({ source, isBeside = false }: { source: CopilotSource; isBeside?: boolean }) {
  return (
    <Link
      to="/knowledge/$articleId"
      params={{ articleId: source.article_id }}
      {...(isBeside && { target: "_blank" })}
      dir="auto"
      className="max-w-full truncate text-accent-text underline underline-offset-2 pointer-coarse:inline-block pointer-coarse:py-3"
    >
      {source.title}
    </Link>
  );
}
