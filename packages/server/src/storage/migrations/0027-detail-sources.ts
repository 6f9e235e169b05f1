import type { ColumnTypes, Migration } from "./migration.ts";

/** Who gave the e-mail, the phone and each value of custom data of a contact. */
export const detailSources: Migration = {
  number: 27,
  name: "detail-sources",
  // What an older program changes would keep the source of the value before.
  breaking: true,
  statements: (types) => statements(types),
};

const statements = ({ text }: ColumnTypes): string[] => [
  // identity, team or visitor; null where it was not stored.
  `ALTER TABLE contacts ADD COLUMN email_source ${text}`,
  `ALTER TABLE contacts ADD COLUMN phone_source ${text}`,
  `ALTER TABLE custom_data ADD COLUMN source ${text}`,
  "UPDATE contacts SET email_source = 'identity' WHERE email = verified_email",
];
