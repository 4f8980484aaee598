/** The resources of a service, static or read from the API on request, and its introduction. */
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
