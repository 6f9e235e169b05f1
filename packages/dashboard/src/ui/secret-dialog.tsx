import { type ReactNode, useId, useRef, useState } from "react";
import { t } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { Checkbox } from "./checkbox.tsx";
import { CodeToCopy } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";

/**
 * A secret that is shown only once: an API key, a signing secret, a token. It closes only after "I’ve saved it", so that no
 * Esc and no click beside it loses the value.
 *
 * @param label the name of the value
 * @param children more that contains the value: a line for the terminal, configuration
 */
export function SecretDialog({ open, ...secret }: Secret & { open: boolean }) {
  // The confirmation belongs to one value: the next one has to be saved again.
  return open ? <OpenSecret key={secret.value} {...secret} /> : null;
}

interface Secret {
  title: string;
  text?: ReactNode;
  label: string;
  value: string;
  onClose(): void;
  children?: ReactNode;
}

function OpenSecret({ title, text, label, value, onClose, children }: Secret) {
  const [saved, setSaved] = useState(false);
  const [reminded, setReminded] = useState(false);
  const tick = useRef<HTMLDivElement>(null);
  const hint = useId();
  const close = () => {
    if (saved) return onClose();
    setReminded(true);
    tick.current?.querySelector("input")?.focus();
  };
  return (
    <Dialog
      open
      onClose={close}
      title={title}
      text={text}
      width="wide"
      footer={
        <Button
          look={saved ? "primary" : "plain"}
          size="large"
          aria-describedby={reminded && !saved ? hint : undefined}
          onClick={close}
        >
          {t("secret.done")}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <div>
          <p className="mb-1.5 font-medium">{label}</p>
          <CodeToCopy label={label} text={value} />
        </div>
        {children}
        <div ref={tick}>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is the checkbox in it */}
          <label className="flex min-h-8 cursor-pointer items-center gap-2.5 pointer-coarse:min-h-11">
            <Checkbox label={t("secret.saved")} checked={saved} onChange={setSaved} />
            <span className="font-medium">{t("secret.saved")}</span>
          </label>
          <p id={hint} role="status" className="text-meta text-warning empty:hidden">
            {reminded && !saved ? t("secret.remind") : null}
          </p>
        </div>
      </div>
    </Dialog>
  );
}
