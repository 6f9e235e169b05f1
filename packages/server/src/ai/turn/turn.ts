import type { AiOutcome, AiPassage, AiRunReason, ModelAct } from "@frontdesk/core/domain/ai/ai-settings";
import type { AiState } from "@frontdesk/core/domain/ai/ai-state";
import type { FittingRule, RuledConversation } from "@frontdesk/core/domain/ai/handoff-rules";
import type { PromptMessage } from "@frontdesk/core/domain/ai/model-prompt";
import type { BusinessHours } from "@frontdesk/core/domain/business-hours";
import type { AiAtWork } from "../speaker/ai-at-work.ts";

/** A turn that this process has claimed. */
export interface ClaimedTurn {
  teamId: string;
  conversationId: string;
  claim: string;
  /** When the first message came that it answers, ms since the epoch. */
  firstAt: number;
  /** How often it was claimed, this time included. */
  attempts: number;
  signal: AbortSignal;
}

/** Of which turn a draft is. */
export interface DraftOfTurn {
  conversationId: string;
  claim: string;
  /** Of the AI. */
  agentId: string;
  /** The sort number of the visitor's message that it answers. */
  upto: number;
}

/** A part of an article, with the article that it is of. */
export interface Passage extends AiPassage {
  articleId: string;
}

/** What a turn is decided by before anything is looked up, as it was at one moment. */
export interface GatheredTurn {
  /** Undefined: there is none any more. */
  ai: AiAtWork | undefined;
  /** The sort number of the visitor's last message. */
  upto: number;
  state: AiState;
  /** From the start of the episode, oldest first. */
  messages: PromptMessage[];
  /** What the visitor has written since the last reply; the question. */
  burst: PromptMessage[];
  /** The last answer of the AI in the episode. */
  lastAnswer: string | null;
  /** The visitor says that the answer before did not help. */
  isDenied: boolean;
  visitor: { name: string | null; page: string | null; language: string | null };
  /** What its first message of an episode begins with; "" for a later one, and where no draft is shown. */
  greeting: string;
  hours: BusinessHours | null;
  sites: readonly string[];
  /** Answers that the contact has got today. */
  contactAnswers: number;
  /** What the owner's rules look at. */
  ruled: Omit<RuledConversation, "texts">;
}

/** What a turn has found in the articles. */
export interface FoundForTurn {
  passages: readonly Passage[];
  /** These are all there are: a search would find no more. */
  isWholeBase: boolean;
  /** The languages of the articles, as BCP 47, the commonest first; as far as they are known. */
  languages: readonly string[];
}

/** The same with the articles that the model is shown. */
export interface InformedTurn extends GatheredTurn, FoundForTurn {
  ai: AiAtWork;
  /** What the model has searched for in this turn. */
  searched: readonly LoggedSearch[];
}

/** An article that an answer rests on. */
export interface AiSource {
  article_id: string;
  title: string;
  /** Where visitors can read it; null when nowhere. */
  url: string | null;
}

/** What a turn wants to do in its last commit. */
export type TurnEnd =
  | {
      does: "say";
      act: Extract<ModelAct, "answer" | "ask" | "chat">;
      text: string;
      sources: readonly AiSource[];
      reason: AiRunReason;
      /** The model takes the visitor to be upset. */
      isUpset?: boolean;
    }
  /** `rule`: the owner's, where one fits. */
  | { does: "hand-over"; reason: AiRunReason; rule?: FittingRule }
  /** The visitor has said that an answer helped. `text`: its last words; null for those that the AI always has. */
  | { does: "resolve"; text: string | null; reason: AiRunReason };

/** A person takes over, with words that tell so. */
export const endInHandoff = (reason: AiRunReason): TurnEnd => ({ does: "hand-over", reason });

/** A search that the model wanted, as the log of runs shows it. */
export interface LoggedSearch {
  query: string;
  /** How many passages it has added. */
  found: number;
}

/** A call of the model, as the log of runs shows it. */
export interface LoggedCall {
  /** The name of the model. */
  model: string;
  /** The very body that was sent. */
  request: string;
  response: string;
  /** Of HTTP; null where there was no answer. */
  status: number | null;
  milliseconds: number;
  /** Why what it wrote was not said; null where it was. */
  check: AiRunReason | null;
}

/** What a turn has cost, and what was said between it and the model. */
export interface TurnLog {
  calls: LoggedCall[];
  searches: LoggedSearch[];
  tokensIn: number;
  tokensOut: number;
  /** ms since the epoch */
  startedAt: number;
}

/** How a turn ended for good. */
export interface EndedTurn {
  outcome: AiOutcome;
  reason: AiRunReason;
}
