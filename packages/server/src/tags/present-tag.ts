import type { TeamTag } from "@frontdesk/core/contract";
import type { ShownTag } from "./tag-store.ts";

/** A tag as the REST API shows it (decisions 56 and A55). */
export function presentTag({ id, name, color }: ShownTag): TeamTag {
  return { type: "tag", id, attributes: { name, color } };
}
