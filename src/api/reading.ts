/** The resources of a service, static or read from the API on request, and its prompts. */
import type { Arguments } from "./conduct.js";
import type { z } from "./z.js";

/** A resource, or with placeholders in its address, as in `alert://templates/{templateId}`, a family of them. */
export interface Resource {
  readonly address: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly content: FixedContent | LiveContent;
}

/** Content that is known when the program is built; its address has one placeholder at most. */
export interface FixedContent {
  /** The value for a placeholder's value; undefined when there is none of that name. */
  readonly value: (placeholder: string) => unknown;
  /** The values that the placeholder can take. */
  readonly values: readonly string[];
}

/** Content that an operation of the service returns; the placeholders are arguments of it. */
export interface LiveContent {
  readonly tool: string;
  readonly args?: Arguments;
  /** The operation whose answer has the values of the first placeholder, and how they are read from it: none of another shape. */
  readonly values?: { readonly tool: string; readonly args?: Arguments; readonly of: z.ZodType<string[]> };
}

export const isLive = (content: FixedContent | LiveContent): content is LiveContent => "tool" in content;

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The only values that it takes; any text where there are none. The first is used when it is left out. */
  readonly choices?: readonly string[];
}

/** Guided work through a task in which a mistake is costly. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What the assistant is told, with the arguments filled in. */
  readonly text: (args: Readonly<Record<string, string>>) => string;
}
