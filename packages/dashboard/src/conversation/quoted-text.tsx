import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { t } from "../texts/texts.ts";

/** What the agent has opened. A row of the thread is not kept once it is scrolled away. */
const opened = new Set<string>();

/**
 * Below a message that is an email: shows what it quotes, or passes on, and what its text leaves out.
 *
 * @param holdPosition `hold-position.ts`
 */
export function QuotedText({ id, holdPosition }: { id: string; holdPosition(): void }) {
  const [isOpen, setOpen] = useState(opened.has(id));
  const toggle = () => {
    holdPosition();
    if (isOpen) opened.delete(id);
    else opened.add(id);
    setOpen(!isOpen);
  };
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex min-h-7 items-center font-medium text-accent-text text-meta hover:underline print:hidden pointer-coarse:min-h-11"
      >
        {t(isOpen ? "mail.quotedHide" : "mail.quoted")}
      </button>
      {isOpen && <Quoted id={id} />}
    </div>
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
