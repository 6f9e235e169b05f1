import type { ColumnTypes, Migration } from "./migration.ts";

/** The owner's rules for handoffs, a second model, and answers and drafts that are shown early. */
export const moreOfTheAi: Migration = {
  number: 53,
  name: "more-of-the-ai",
  breaking: false,
  statements: ({ text, flag }: ColumnTypes) => [
    `ALTER TABLE ai_settings ADD COLUMN second_model ${text}`,
    `ALTER TABLE ai_settings ADD COLUMN handoff_rules ${text} NOT NULL DEFAULT '${NO_RULES}'`,
    `ALTER TABLE ai_settings ADD COLUMN streamed ${flag} NOT NULL DEFAULT 0`,
    `ALTER TABLE ai_settings ADD COLUMN ghost_text ${flag} NOT NULL DEFAULT 0`,
  ],
};

const NO_RULES = '{"words":[],"pages":[],"tags":[],"custom_data":[]}';
