/** How long a team keeps what it has stored (`domain/retention.ts`), and what would be erased. */
import type { Static } from "typebox";
import { Type } from "typebox";
import { erasedParts, RETENTION_DAYS_MAX } from "../domain/retention.ts";
import { choice, nullable, timestamp, uuid } from "./fields.ts";
import { resource } from "./resources.ts";

const nullableTimestamp = nullable(timestamp);
const days = nullable(Type.Integer({ minimum: 1, maximum: RETENTION_DAYS_MAX, description: "Null is never." }));
const optionalDays = Type.Optional(days);
const eraseWhat = choice(erasedParts, {
  description: "`conversations` erases whole conversations; `texts` erases the texts and files of their messages.",
});
const ofWidget = Type.Object({
  widget_id: Type.String(),
  erase_after_days: optionalDays,
  erase_what: Type.Optional(eraseWhat),
  files_after_days: optionalDays,
  page_visits_after_days: optionalDays,
});
const ofChannel = Type.Object({
  channel_id: Type.String(),
  erase_after_days: optionalDays,
  erase_what: Type.Optional(eraseWhat),
  files_after_days: optionalDays,
});
const OVERRIDES_MAX = 500;
/** How long the team keeps what it has stored (`domain/retention.ts`). */
const retentionFields = {
  erase_after_days: days,
  erase_what: eraseWhat,
  files_after_days: days,
  page_visits_after_days: days,
  ip_after_days: days,
  widgets: Type.Array(ofWidget, { maxItems: OVERRIDES_MAX, description: "Widgets with settings of their own." }),
  channels: Type.Array(ofChannel, { maxItems: OVERRIDES_MAX, description: "Channels with settings of their own." }),
};
export const RetentionChange = Type.Partial(Type.Object(retentionFields, { minProperties: 1 }));
export const Privacy = resource(
  "privacy",
  uuid,
  Type.Object({ ...retentionFields, starts_at: nullableTimestamp, changed_at: nullableTimestamp }),
);
export type Privacy = Static<typeof Privacy>;

const counted = Type.Integer({ minimum: 0, maximum: 10_000 });
export const PrivacyPreview = resource(
  "privacy-previews",
  uuid,
  Type.Object({
    conversations: counted,
    contacts: counted,
    files: counted,
    page_visits: counted,
    ip_addresses: counted,
  }),
);
export type PrivacyPreview = Static<typeof PrivacyPreview>;
