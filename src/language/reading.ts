/** The resources of a service, static or read from the API on request, its prompts, and its introduction. */
import type { Arguments } from "./conduct.js";
import type { z } from "./z.js";

/** One line for an assistant that has just connected, and the tools that it names: it is of no use where one is not listed. */
export interface Introduction {
  readonly text: string;
  readonly tools: readonly string[];
}

/** An introduction as a template, in which each value is the name of a tool. */
export const introduction = (texts: TemplateStringsArray, ...tools: readonly string[]): Introduction => ({
  text: String.raw({ raw: texts }, ...tools),
  tools,
});

/** A resource, or with placeholders in its address, as in `alert://templates/{templateId}`, a family of them. */
export interface Resource {
  readonly address: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly content: FixedContent | LiveContent;
}

/** A resource as a service declares it: JSON, where it does not say what else. */
export type DeclaredResource = Omit<Resource, "mimeType"> & Partial<Pick<Resource, "mimeType">>;

/** Content that is known when the program is built; its address has one placeholder at most. */
export interface FixedContent {
  /** The value for a placeholder's value; undefined when there is none of that name. */
  readonly value: (placeholder: string) => unknown;
  /** The values that the placeholder can take. */
  readonly values: readonly string[];
}

/** Values that an operation's answer has, for completion. */
export interface LiveValues {
  readonly tool: string;
  readonly args?: Arguments;
  /** Which placeholders of the same address are arguments, too, where they are filled in already. */
  readonly given?: readonly string[];
  /** How they are read from the answer: none of another shape. */
  readonly of: z.ZodType<string[]>;
  /** Another operation, whose answer has the further arguments of each call that has to be made. */
  readonly per?: { readonly tool: string; readonly args?: Arguments; readonly of: z.ZodType<Arguments[]> };
}

/** Content that an operation of the service returns; the placeholders are arguments of it. */
export interface LiveContent {
  readonly tool: string;
  readonly args?: Arguments;
  /** The values that complete a placeholder, by its name. */
  readonly values?: Readonly<Record<string, readonly string[] | LiveValues>>;
}

export const isLive = (content: FixedContent | LiveContent): content is LiveContent => "tool" in content;

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  /**
   * The only values that it takes, of which the first is used when it is left out. Without them it takes any text, and is
   * required.
   */
  readonly choices?: readonly string[];
  /** The form of the text that it takes: a regular expression for all of it, and what that is in words. */
  readonly form?: { readonly pattern: string; readonly takes: string };
  /** What completes it, read from the account. */
  readonly values?: LiveValues;
}

/** Guided work through a task in which a mistake is costly. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What is to be done, with the arguments filled in. */
  readonly task: (args: Readonly<Record<string, string>>) => string;
  /** The steps in their order. Each tool that a step names is called there, and `personDecides` is where the work stops. */
  readonly steps: (args: Readonly<Record<string, string>>) => readonly string[];
}

/** Ends the step that previews a change: nothing is sent before a person has read what it would do. */
export const personDecides =
  "Show the preview as it is and wait for the person's yes. Then make the same call with confirm set to the plan id; never change the arguments after the preview.";

/** Ends the step before a change that has no preview, or before work that only the person can do. */
export const personSaysGo = "Wait for the person's yes before you go on.";
