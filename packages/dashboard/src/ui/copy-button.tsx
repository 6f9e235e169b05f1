import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { t } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { cx } from "./class-names.ts";
import { showProblem } from "./toast.ts";

const SAID_MS = 2_000;

export function CopyButton({ text, look = "plain" }: { text: string; look?: "plain" | "primary" }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      look={look}
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(text);
          setCopied(true);
          setTimeout(() => setCopied(false), SAID_MS);
        } catch {
          // Without https there is no clipboard: the text can be selected.
          showProblem(t("copyFailed"));
        }
      }}
    >
      {copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      <span aria-live="polite">{copied ? t("copied") : t("copy")}</span>
    </Button>
  );
}

/** A text to copy: selected by one click, copied by another. */
export function CodeToCopy({
  text,
  label,
  look = "primary",
  lines,
}: {
  text: string;
  label: string;
  look?: "plain" | "primary";
  /** Long lines scroll instead of wrapping, as in code. */
  lines?: boolean;
}) {
  return (
    <div className="flex flex-col items-start gap-3">
      {/* Scrollable content has to be reachable by keyboard. */}
      <section
        aria-label={label}
        tabIndex={0}
        className="w-full overflow-x-auto rounded-control border border-line bg-app"
      >
        <pre
          dir="ltr"
          className={cx("select-all p-3 text-left font-mono text-meta", !lines && "whitespace-pre-wrap break-all")}
        >
          {text}
        </pre>
      </section>
      <CopyButton text={text} look={look} />
    </div>
  );
}
