/** The outcome of a call, independent of the protocol. */
import type { Plan, Preview } from "../guard/index.js";
import type { DifferenceLine } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import type { Failure } from "../language/failure.js";
import type { NamedCall } from "../language/sentence.js";
import type { Picture, PreviousPeriodCall } from "../rows/result-store.js";
import type { Reply } from "../wire/index.js";

export type Outcome =
  /** The API's response, and the operation's declaration. */
  | {
      readonly kind: "answer";
      readonly reply: Reply;
      readonly declared: AnyOperation["spec"];
      /** What the answer of a change has otherwise than it was approved. */
      readonly alsoChanged?: readonly DifferenceLine[];
      /** How to read the previous period, if the response is for a period. */
      readonly previous?: PreviousPeriodCall | undefined;
      /** The calls that its notes name. */
      readonly names?: readonly NamedCall[];
      /** Those of its notes that repeat the warnings of its preview. */
      readonly repeated?: readonly string[];
    }
  /** The result of a workflow. */
  | {
      readonly kind: "workflow";
      readonly result: Readonly<Record<string, unknown>>;
      /** The texts of the result, if they are not its JSON. */
      readonly texts?: ((result: Readonly<Record<string, unknown>>) => readonly string[] | undefined) | undefined;
      /** Notes that are shown even if the result is truncated. */
      readonly notes?: readonly string[];
      /** Whether a part of it failed. */
      readonly hasFailed?: boolean;
      /** Pictures that are shown with the result. */
      readonly pictures?: readonly Picture[];
      /** The calls that the sentence on its undo names. */
      readonly names?: readonly NamedCall[];
    }
  /** Nothing was changed: the preview, and the plan that approves it. */
  | {
      readonly kind: "preview";
      readonly preview: Preview;
      readonly plan: Plan;
      readonly notes?: readonly string[];
      /** Why a person has to approve it, if `confirm` would otherwise be enough. */
      readonly why?: string;
    }
  /** The same, with a question to the user. */
  | {
      readonly kind: "question";
      readonly preview: Preview;
      readonly plan: Plan;
      /** Whether the user has to type the preview's target. */
      readonly needsTarget: boolean;
    }
  | { readonly kind: "failure"; readonly failure: Failure };

/** Any outcome except a question to the user. */
export type FinalOutcome = Exclude<Outcome, { kind: "question" }>;

/** An outcome with a note for its caller; a failure has none. */
export function withNote(outcome: FinalOutcome, note: string): FinalOutcome {
  switch (outcome.kind) {
    case "answer":
      return { ...outcome, reply: { ...outcome.reply, notes: [...outcome.reply.notes, note] } };
    case "workflow":
    case "preview":
      return { ...outcome, notes: [...(outcome.notes ?? []), note] };
    default:
      return outcome;
  }
}

/** Distinguishes an outcome from intermediate values. */
export const isOutcome = (value: object): value is Outcome => "kind" in value;

/** Whether the outcome of a request is unknown; later requests must not be sent until it is known. */
export const isOutcomeUnknown = ({ code }: Failure): boolean =>
  ["outcome_unknown", "cancelled", "internal"].includes(code);
