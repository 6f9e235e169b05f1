import type { WholeWidget } from "@frontdesk/core/contract/resources";
import { ShieldCheck, ShieldOff } from "lucide-react";
import { Suspense, useState } from "react";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { momentOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem } from "../../ui/toast.ts";
import { RemovalDialog } from "../tags-and-fields/removal-dialog.tsx";
import { widgetQuery } from "./widgets-query.ts";

/** Loaded when a secret is shown: how to sign identities with it. */
const IdentitySecret = lazyPart(() => import("./identity-secret.tsx"), "IdentitySecret");

/** Identified visitors: identities are signed by the owner's server (docs/decisions/0023-verified-visitors.md). */
export function WidgetIdentitySection({ widget }: { widget: WholeWidget }) {
  const [asking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const madeAt = widget.attributes.identity_secret_made_at;
  const make = async () => {
    const { data } = await rest.makeIdentitySecret({ params: { widget: widget.id } });
    const { identity_secret, ...attributes } = data.attributes;
    queries.setQueryData(widgetQuery(widget.id).queryKey, { ...data, attributes });
    setSecret(identity_secret);
  };
  return (
    <Section title={t("identity.title")} text={t("identity.text")}>
      <div className="flex flex-wrap items-center gap-3">
        <p className="flex min-w-0 items-center gap-2">
          {madeAt ? (
            <ShieldCheck size={16} className="shrink-0 text-success" aria-hidden="true" />
          ) : (
            <ShieldOff size={16} className="shrink-0 text-subtle" aria-hidden="true" />
          )}
          {madeAt ? t("identity.on", { when: momentOf(madeAt) }) : t("identity.off")}
        </p>
        <Button onClick={() => (madeAt ? setAsking(true) : make().catch((error) => showProblem(problemText(error))))}>
          {madeAt ? t("identity.renew") : t("identity.make")}
        </Button>
      </div>
      {asking && (
        <RemovalDialog
          title={t("identity.renewTitle")}
          text={t("identity.renewText")}
          go={t("identity.renew")}
          remove={make}
          onClose={() => setAsking(false)}
        />
      )}
      <Suspense>{secret && <IdentitySecret secret={secret} onClose={() => setSecret(undefined)} />}</Suspense>
    </Section>
  );
}
