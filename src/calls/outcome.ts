/** The outcome of a call, independent of any protocol. */
import type { Plan, Preview } from "../guard/index.js";
import type { AnyOperation } from "../language/define.js";
import type { Failure } from "../language/failure.js";
import type { Picture, Previous } from "../results/store.js";
import type { Reply } from "../wire/index.js";

export type Outcome =
  /** The API's answer, and what the operation declares about it. */
  | {
      readonly kind: "answer";
      readonly reply: Reply;
      readonly declared: AnyOperation["spec"];
      /** How the period before is read, where the answer is for one. */
      readonly previous?: Previous | undefined;
    }
  /** The result of a workflow. */
  | {
      readonly kind: "workflow";
      readonly result: Readonly<Record<string, unknown>>;
      /** The texts of the result as it is shown, where they are not its JSON. */
      readonly texts?: ((result: Readonly<Record<string, unknown>>) => readonly string[] | undefined) | undefined;
      /** What a reader has to know however little of the result is shown. */
      readonly notes?: readonly string[];
      /** Some of what it was to do was not done. */
      readonly hasFailed?: boolean;
      /** What it shows beside the result. */
      readonly pictures?: readonly Picture[];
    }
  /** Nothing was changed: this is what would be, and the plan that approves it. */
  | {
      readonly kind: "preview";
      readonly preview: Preview;
      readonly plan: Plan;
      readonly notes?: readonly string[];
      /** Why a person has to approve it, where the model's `confirm` would do if nobody had been asked. */
      readonly why?: string;
    }
  /** The same, and the user is to be asked directly. */
  | {
      readonly kind: "question";
      readonly preview: Preview;
      readonly plan: Plan;
      /** Whether the user has to type the preview's target. */
      readonly needsTarget: boolean;
    }
  | { readonly kind: "failure"; readonly failure: Failure };

/** Tells an outcome from what a call goes on with. */
export const isOutcome = (value: object): value is Outcome => "kind" in value;
