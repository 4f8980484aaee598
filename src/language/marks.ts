/** The marks on schemas, all in one registry: the meaning of a value beyond its type. */
import { onceFor } from "./once-for.js";
import { formsOf } from "./shape.js";
import { z } from "./z.js";

/** A destination of data: an email address, or a host for files, logs or the requests of visitors. */
export type DestinationKind = "email" | "host";

/** A value that is secret. */
export interface SecretMark {
  /** The API shows the value only in this response, so the result recommends storing it. */
  readonly isShownOnce?: true;
  /** Callers never write the value, a field of a body: it is in the file that the argument `nameFile` names. */
  readonly isFromFile?: true;
}

/** The argument that determines this one: `values` maps the values of the argument `from`. */
export interface DeterminedValues {
  readonly from: string;
  readonly values: Readonly<Record<string, unknown>>;
}

interface Marks {
  readonly secret?: SecretMark;
  /** Nothing is known about the members of a response, so those whose names suggest a secret are masked. */
  readonly undeclaredSecrets?: true;
  readonly destination?: DestinationKind;
  /** A link to something else, which a preview of the present state leaves out. */
  readonly link?: true;
  /** An instant, and its wire format. */
  readonly instant?: "iso" | "epochMs" | "epochSeconds";
  /** A read-only field that is sent anyway, because the request identifies its object by it. */
  readonly repeated?: true;
  /** Other names under which a caller may know an argument: that of its header, or of the response's field. */
  readonly alsoNamed?: readonly string[];
  readonly determinedBy?: DeterminedValues;
}

const registry = z.registry<Marks>();

/** The same schema with marks; derived schemas (`.min(8)`, `.describe(…)`) keep them. */
export function markSchema<S extends z.ZodType>(schema: S, marks: Marks): S {
  // A clone, so that the marks do not apply to other uses of the same schema.
  const clone = schema.clone();
  registry.add(clone, marks);
  return clone;
}

/** The marks of a schema itself. */
export const markOf = <M extends keyof Marks>(schema: z.core.$ZodType, mark: M): Marks[M] | undefined =>
  registry.get(schema)?.[mark];

/** Finds a mark among the forms of a schema: the first one counts. */
export const markAmong = <M extends keyof Marks>(mark: M): ((forms: readonly z.ZodType[]) => Marks[M] | undefined) =>
  onceFor((forms) => forms.map((form) => markOf(form, mark)).find((found) => found !== undefined));

/** The unit of a numeric instant in milliseconds; undefined for a text instant, and for other schemas. */
export const unitMsOf = (as: Marks["instant"]): number | undefined =>
  as === "epochMs" ? 1 : as === "epochSeconds" ? 1_000 : undefined;

const maskForm = /^\[secret, \d+ characters\]$/;

/** Whether a value is the mask of a secret, which replaces it wherever a call is shown. */
export const isMask = (value: unknown): boolean => typeof value === "string" && maskForm.test(value);

/** Marks a schema whose values are secret. A mask copied from a preview is refused as a value. */
export const secret = <S extends z.ZodType>(schema: S, mark: SecretMark = {}): S =>
  markSchema(
    schema.refine((value) => !isMask(value), "the secret itself, not its mask"),
    { secret: mark },
  );

const secretAmong = markAmong("secret");

/** Whether a schema itself is marked as secret, in any wrapper. */
export const isSecret = (schema: z.ZodType): boolean => secretAmong(formsOf(schema)) !== undefined;
