import { Suspense } from "react";
import { t } from "../texts/texts.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { BelowEmail } from "./below-email.tsx";

const FormattedEmail = lazyPart(() => import("./formatted-email.tsx"), "FormattedEmail");

/**
 * Below a message that is an email with HTML: shows it as it was formatted.
 *
 * @param holdPosition `hold-position.ts`
 */
export function EmailView({ id, holdPosition }: { id: string; holdPosition(): void }) {
  const labels = { show: t("email.show"), hide: t("email.hide") };
  return (
    <BelowEmail
      id={id}
      part="formatted"
      labels={labels}
      openClass="w-160 max-w-full text-start"
      holdPosition={holdPosition}
    >
      <Suspense>
        <FormattedEmail messageId={id} holdPosition={holdPosition} />
      </Suspense>
    </BelowEmail>
  );
}
