import type { Contact } from "@frontdesk/core/contract";
import { useEffect, useState } from "react";
import { timeThere } from "../texts/dates.ts";
import { countryName, languageName } from "../texts/names.ts";
import { t } from "../texts/texts.ts";
import { Known, Row } from "./detail-row.tsx";

/** Often enough for a clock without seconds. */
const LOOK_EVERY_MS = 10_000;

/** Where a contact is and what they write with, as far as it is known. */
export function VisitorFacts({
  contact: { attributes },
  countryGuessed,
}: {
  contact: Contact;
  countryGuessed: boolean;
}) {
  const place = attributes.location ?? countryName(attributes);
  const time = useTimeThere(attributes.timezone);
  return (
    <>
      {place && (
        <Row label={t("place")}>
          {attributes.country_emoji} <bdi>{place}</bdi>
          {countryGuessed && !attributes.location && (
            <span className="block text-meta text-subtle">{t("place.guessed")}</span>
          )}
        </Row>
      )}
      <Known label={t("localTime")} value={time} />
      <Known label={t("language")} value={attributes.language && languageName(attributes.language)} />
      <Known
        label={t("browser")}
        value={[attributes.browser_type, attributes.operating_system].filter(Boolean).join(" · ")}
      />
    </>
  );
}

/** The flag and the clock of a contact, in one line. Flags read from left to right, and so are apart from Arabic times. */
export function VisitorClock({ contact: { attributes } }: { contact: Contact }) {
  const time = useTimeThere(attributes.timezone);
  if (!time) return null;
  return (
    <span className="numbers shrink-0" title={t("localTime")}>
      <span className="sr-only">{t("localTime")} </span>
      {attributes.country_emoji} <bdi>{time}</bdi>
    </span>
  );
}

function useTimeThere(timezone: string | null): string | undefined {
  const now = () => (timezone === null ? undefined : timeThere(timezone));
  const [, setTime] = useState(now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time is all that changes
  useEffect(() => {
    const looking = setInterval(() => setTime(now()), LOOK_EVERY_MS);
    return () => clearInterval(looking);
  }, [timezone]);
  return now();
}
