import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useEffect } from "react";
import { askSession } from "../service/ask-session.ts";
import { ROOT_PATH } from "../service/send.ts";
import { endAsking } from "../service/verify-again.ts";
import { t } from "../texts/texts.ts";

/** Between the window with the provider and the one that waits for the proof. */
const CHANNEL = "frontdesk-proof";

/** In the dialog that asks for a proof: the company's account, for those who have one. Nothing for the others. */
export function SsoProof() {
  const { data } = useQuery({ queryKey: ["own-sso"], queryFn: () => askSession("listOwnSso") });
  const provider = data?.providers.find(({ linked_at }) => linked_at !== null);
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => endAsking(true);
    return () => channel.close();
  }, []);
  if (!provider) return null;
  return (
    <a
      href={`${ROOT_PATH}/app/sso-proof`}
      target="_blank"
      rel="noopener"
      className="inline-flex h-9 items-center justify-center gap-2 rounded-control border border-line bg-surface px-4 hover:bg-hover"
    >
      <span dir="auto">{t("sso.with", { name: provider.name })}</span>
      <ExternalLink size={14} aria-hidden="true" />
      <span className="sr-only">{t("sso.newWindow")}</span>
    </a>
  );
}

export function sayProven(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage("proven");
  channel.close();
  // Only a window that a script has opened closes; the text is for the others.
  window.close();
}
