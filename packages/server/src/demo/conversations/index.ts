import type { Thread } from "../script.ts";
import { arabic } from "./ar.ts";
import { german } from "./de.ts";
import { english } from "./en.ts";
import { spanish } from "./es.ts";
import { french } from "./fr.ts";
import { hindi } from "./hi.ts";
import { japanese } from "./ja.ts";
import { portuguese } from "./pt-br.ts";
import { russian } from "./ru.ts";
import { chinese } from "./zh.ts";

/** A month of the demo shop, by the language of the visitor. */
export const conversations: readonly Thread[] = [
  ...english,
  ...german,
  ...french,
  ...spanish,
  ...portuguese,
  ...japanese,
  ...arabic,
  ...hindi,
  ...russian,
  ...chinese,
];
