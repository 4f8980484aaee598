/** The marks that declarations put on schemas, all in one registry: what a value means beyond its form. */
import { onceFor } from "../language/once-for.js";
import { z } from "../language/z.js";
import { formsOf } from "./shape.js";

/** What data is sent to: a mail address, or a host that files, logs or the requests of visitors go to. */
export type DestinationKind = "email" | "host";

/** A value that is secret. */
export interface SecretMark {
  /** The API shows the value in this answer and in no other, so the answer says to keep it. */
  readonly isShownOnce?: true;
  /** No caller writes the value, a member of a body: it is in the file that the argument `nameFile` names. */
  readonly isFromFile?: true;
}

/** What determines an argument: `values` maps the value of the argument `from` to its own. */
export interface Determined {
  readonly from: string;
  readonly values: Readonly<Record<string, unknown>>;
}

interface Marks {
  readonly secret?: SecretMark;
  readonly destination?: DestinationKind;
  /** Where else something can be read, and nothing of what it is: a preview of what is there now leaves it out. */
  readonly link?: true;
  /** An instant, and how it is written on the wire. */
  readonly instant?: "iso" | "epochMs" | "epochSeconds";
  /** A read-only member that is sent all the same, because the request names by it what it is about. */
  readonly repeated?: true;
  /** The names outside of the tools under which a caller may know an argument: its header's, or that of the answer's member. */
  readonly alsoNamed?: readonly string[];
  readonly determinedBy?: Determined;
}

const registry = z.registry<Marks>();

/** The same schema with marks; one that is made from it (`.min(8)`, `.describe(…)`) has them, too. */
export function marked<S extends z.ZodType>(schema: S, marks: Marks): S {
  // A clone: the marks must not reach another use of the same schema.
  const own = schema.clone();
  registry.add(own, marks);
  return own;
}

/** What a schema itself is marked with. */
export const markOf = <M extends keyof Marks>(schema: z.core.$ZodType, mark: M): Marks[M] | undefined =>
  registry.get(schema)?.[mark];

/** Finds a mark in the forms of a schema: that of the first which has it. */
export const markAmong = <M extends keyof Marks>(mark: M): ((forms: readonly z.ZodType[]) => Marks[M] | undefined) =>
  onceFor((forms) => forms.map((form) => markOf(form, mark)).find((found) => found !== undefined));

/** How many milliseconds a number counts as one; undefined for an instant that is a text, and for no instant. */
export const unitMsOf = (as: Marks["instant"]): number | undefined =>
  as === "epochMs" ? 1 : as === "epochSeconds" ? 1_000 : undefined;

const maskForm = /^\[secret, \d+ characters\]$/;

/** Whether a value is the mask of a secret, which stands for it wherever a call is shown. */
export const isMask = (value: unknown): boolean => typeof value === "string" && maskForm.test(value);

/** Marks a schema whose values are secret. A mask copied from a preview is refused in the place of the value. */
export const secret = <S extends z.ZodType>(schema: S, mark: SecretMark = {}): S =>
  marked(
    schema.refine((value) => !isMask(value), "the secret itself, not the mask that stands for it"),
    { secret: mark },
  );

const secretAmong = markAmong("secret");

/** Whether a schema is marked as secret itself, whatever it is wrapped in. */
export const isSecret = (schema: z.ZodType): boolean => secretAmong(formsOf(schema)) !== undefined;
