/** The tool on the knowledge base (spec, "Assistant tool interface"). */
import { Type } from "typebox";
import { ids } from "../examples.ts";
import { uuid } from "../fields.ts";
import { READS, type Tool } from "../tool.ts";
import { searchInput } from "../tool-fields.ts";

export const searchKnowledgeBase = {
  name: "search-knowledge-base",
  title: "Search the knowledge base",
  description: "Finds entries of the team's knowledge base and returns their questions and answers, up to 50.",
  permission: "search_knowledge_base",
  annotations: READS,
  input: searchInput,
  output: Type.Object({
    results: Type.Array(Type.Object({ id: uuid, question: Type.String(), answer: Type.String() })),
  }),
  performs: "search-articles",
  example: {
    input: { query: "shipping", limit: 5 },
    output: {
      results: [
        { id: ids.article, question: "Where do you ship to?", answer: "To every country of the European Union." },
      ],
    },
  },
} as const satisfies Tool;
