/** The form of a prompt, which guides through a task in which mistakes are costly. */
import type { LiveValues } from "./reading.js";
import { z } from "./z.js";

const text = z.string().min(1);

const values = z.union([
  // A resource of the service that has a placeholder of the argument's name.
  z.strictObject({ resource: text }),
  z.strictObject({
    tool: text,
    args: z.record(text, z.unknown()).exactOptional(),
    // The path of the values in the answer; of a link, its last part is the value.
    at: text.exactOptional(),
    // Values that the answer does not have.
    also: z.array(text).exactOptional(),
  }),
]);

const argument = z.strictObject({
  description: text,
  // The values that it takes; the first is the default. Without choices it takes any text and is required.
  choices: z.array(text).exactOptional(),
  // The form of its text: a regular expression for the whole text, and its meaning in words.
  form: z.strictObject({ pattern: text, takes: text }).exactOptional(),
  // Completion values, read from the account.
  values: values.exactOptional(),
});

/** The form of a prompt. In its task and its steps, the name of an argument in braces stands for its value. */
export const promptForm = z.strictObject({
  name: text,
  title: text,
  description: text,
  arguments: z.record(text, argument),
  // The task, in one sentence.
  task: text,
  // The steps in order. Each tool that a step names is called there; the work stops at {personDecides}.
  steps: z.array(text),
});

/** Where completion values are read. */
export type ValuesSource = z.infer<typeof values>;

/** An argument of a prompt. */
export interface PromptArgument extends Omit<z.infer<typeof argument>, "values"> {
  readonly name: string;
  /** Reads where its completion values come from, which may load a service. */
  readonly values?: () => Promise<LiveValues | undefined>;
}

/** A prompt, its arguments in order. */
export interface Prompt extends Omit<z.infer<typeof promptForm>, "arguments"> {
  readonly arguments: readonly PromptArgument[];
}

/** What steps name in braces in addition to arguments. */
export const stops = {
  /** Ends the step that previews a change: nothing is sent before the user has read the preview. */
  personDecides:
    "Show the preview unchanged and wait for the user's yes. Then make the same call with confirm set to the plan id; never change the arguments after the preview.",
  /** Ends the step before a change that has no preview, or before work that only the user can do. */
  personSaysGo: "Wait for the user's yes before you go on.",
} as const;
