import { askSession } from "../../service/ask-session.ts";

/** The team's tags, with how many conversations have each. */
export const tagsQuery = {
  queryKey: ["tag-use"],
  queryFn: () => askSession("listTagUse").then(({ tags }) => tags),
};

/** The team's custom fields, with how many contacts have each. */
export const fieldsQuery = {
  queryKey: ["field-use"],
  queryFn: () => askSession("listFieldUse").then(({ custom_fields }) => custom_fields),
};
