/** The resources of a service, static or read from the API on request, its prompts, and its introduction. */
import type { Arguments } from "./conduct.js";
import type { z } from "./z.js";

/** One line for an assistant that has just connected, and the tools that it names: it is left out if one is not listed. */
export interface Introduction {
  readonly text: string;
  readonly tools: readonly string[];
}

/** A template for an introduction, in which each value is the name of a tool. */
export const introduction = (texts: TemplateStringsArray, ...tools: readonly string[]): Introduction => ({
  text: String.raw({ raw: texts }, ...tools),
  tools,
});

/** A resource or, with placeholders in its URI as in `alert://templates/{templateId}`, a resource template. */
export interface Resource {
  readonly address: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly content: FixedContent | LiveContent;
}

/** A resource as a service declares it; JSON by default. */
export type DeclaredResource = Omit<Resource, "mimeType"> & Partial<Pick<Resource, "mimeType">>;

/** Content that is known at build time; its URI has at most one placeholder. */
export interface FixedContent {
  /** The content for a placeholder's value; undefined if there is none. */
  readonly value: (placeholder: string) => unknown;
  /** The values that the placeholder can take. */
  readonly values: readonly string[];
}

/** Values from an operation's response, for completion. */
export interface LiveValues {
  readonly tool: string;
  /** Its arguments; a placeholder of the same URI that has the name of one replaces it once it is filled in. */
  readonly args?: Arguments;
  /** Reads the values from the response; a response of a different shape has none. */
  readonly of: z.ZodType<string[]>;
  /** Another operation, whose response has further arguments, for each of which a call is made. */
  readonly per?: { readonly tool: string; readonly args?: Arguments; readonly of: z.ZodType<Arguments[]> };
}

/** Content that an operation of the service returns; the placeholders are its arguments. */
export interface LiveContent {
  readonly tool: string;
  readonly args?: Arguments;
  /** The completion values by placeholder. */
  readonly values?: Readonly<Record<string, readonly string[] | LiveValues>>;
}

export const isLive = (content: FixedContent | LiveContent): content is LiveContent => "tool" in content;

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  /** The values that it takes; the first is the default. Without choices it takes any text and is required. */
  readonly choices?: readonly string[];
  /** The form of its text: a regular expression for the whole text, and its meaning in words. */
  readonly form?: { readonly pattern: string; readonly takes: string };
  /** Completion values, read from the account. */
  readonly values?: LiveValues;
}

/** A guided procedure for a task in which mistakes are costly. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The task, with the arguments filled in. */
  readonly task: (args: Readonly<Record<string, string>>) => string;
  /** The steps in order. Each tool that a step names is called there; the work stops at `personDecides`. */
  readonly steps: (args: Readonly<Record<string, string>>) => readonly string[];
}

/** Ends the step that previews a change: nothing is sent before the user has read the preview. */
export const personDecides =
  "Show the preview unchanged and wait for the user's yes. Then make the same call with confirm set to the plan id; never change the arguments after the preview.";

/** Ends the step before a change that has no preview, or before work that only the user can do. */
export const personSaysGo = "Wait for the user's yes before you go on.";
