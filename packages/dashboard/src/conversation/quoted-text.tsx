import { useQuery } from "@tanstack/react-query";
import { askSession } from "../service/ask-session.ts";
import { t } from "../texts/texts.ts";
import { BelowEmail } from "./below-email.tsx";

/**
 * Below a message that is an email: shows what it quotes, or passes on, and what its text leaves out.
 *
 * @param holdPosition `hold-position.ts`
 */
export function QuotedText({ id, holdPosition }: { id: string; holdPosition(): void }) {
  const labels = { show: t("mail.quoted"), hide: t("mail.quotedHide") };
  return (
    <BelowEmail id={id} part="quoted" labels={labels} holdPosition={holdPosition}>
      <Quoted id={id} />
    </BelowEmail>
  );
}

function Quoted({ id }: { id: string }) {
  const { data, isError } = useQuery({
    queryKey: ["mail-quoted", id],
    queryFn: ({ signal }) => askSession("getQuotedText", { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isError) return <p className="py-2 text-meta text-muted">{t("email.problem")}</p>;
  if (!data) return <div aria-hidden="true" className="h-20 animate-pulse rounded-menu bg-hover" />;
  return (
    <p
      dir="auto"
      className="aligned wrap-anywhere whitespace-pre-wrap border-line border-s-2 ps-3 text-message text-muted"
    >
      {data.text}
    </p>
  );
}
