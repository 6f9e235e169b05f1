import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { t } from "../texts/texts.ts";
import { Button, IconButton } from "./button.tsx";
import { cx } from "./class-names.ts";
import { showProblem } from "./toast.ts";

const SAID_MS = 2_000;

export function CopyButton({ text, look = "plain" }: { text: string; look?: "plain" | "primary" }) {
  const { copied, copy } = useCopy(text);
  return (
    <Button look={look} onClick={copy}>
      {copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      <span aria-live="polite">{copied ? t("copied") : t("copy")}</span>
    </Button>
  );
}

/** A short value on one line: what does not fit is cut off, but copied too. */
export function ValueToCopy({ value }: { value: string }) {
  const { copied, copy } = useCopy(value);
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span dir="auto" title={value} className="min-w-0 truncate">
        {value}
      </span>
      <IconButton label={t("copyValue", { value })} onClick={copy} className="size-6">
        {copied ? <Check size={12} /> : <Copy size={12} />}
      </IconButton>
      <span role="status" className="sr-only">
        {copied && t("copied")}
      </span>
    </span>
  );
}

function useCopy(text: string): { copied: boolean; copy(): Promise<void> } {
  const [copied, setCopied] = useState(false);
  return {
    copied,
    async copy() {
      try {
        await navigator.clipboard.writeText(text);
        setCopied(true);
        setTimeout(() => setCopied(false), SAID_MS);
      } catch {
        // Without https there is no clipboard: the text can be selected.
        showProblem(t("copyFailed"));
      }
    },
  };
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
