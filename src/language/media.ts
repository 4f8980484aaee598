/** Declarations of the wire format: parameters and their styles, bodies and their media, headers. */
import { openObject } from "./open-object.js";
import { z } from "./z.js";

/** How a query value is written: `k=a`, `k=a,b`, `k=a&k=b`, `k=n=v,n=w`, or `k=` and the JSON of the value. */
export type Style = "plain" | "comma" | "repeat" | "pairs" | "json";
export interface Param<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly style: Style;
}
export const comma = <S extends z.ZodType>(schema: S): Param<S> => ({ schema, style: "comma" });
export const repeat = <S extends z.ZodType>(schema: S): Param<S> => ({ schema, style: "repeat" });
export const pairs = <S extends z.ZodType>(schema: S): Param<S> => ({ schema, style: "pairs" });
export const jsonParam = <S extends z.ZodType>(schema: S): Param<S> => ({ schema, style: "json" });

/** Named parameters: a plain schema is written in the style `plain`. */
export type Params = Readonly<Record<string, z.ZodType | Param>>;

/** Keyed by schema; schemas derived from a marked one are marked, too. */
const rows = z.registry<{ readonly isWrittenOut: true }>();
/** Marks a path parameter for whose values the operations table has separate rows. */
export function writtenOut<S extends z.ZodType>(schema: S): S {
  const clone = schema.clone();
  rows.add(clone, { isWrittenOut: true });
  return clone;
}
export const isWrittenOut = (param: z.ZodType | Param): boolean => rows.has(schemaOfParam(param));

export type Codec = "json" | "form" | "xml" | "csv" | "text" | "empty";
/** The rows of a CSV body, cell by cell; a row may be shorter or longer than its neighbors. */
export type CsvRows = readonly (readonly string[])[];

/** A body on the wire: its media type, the codec that reads and writes it, and its schema. */
export interface Media<S extends z.ZodType = z.ZodType> {
  /**
   * Can contain `<vendor>`, which is replaced by the configured name, and `{argument}`, which is replaced by the value of
   * that argument: if the argument is given, such a medium replaces the others of its codec.
   */
  readonly type: string;
  /** Whether the names of the arguments in its type need no description. */
  readonly isSaidByName?: true;
  readonly codec: Codec;
  readonly schema: S;
  /** XML: the name of the root element; if the documents do not show it, any root is accepted in responses. */
  readonly root?: string;
  /** Form: the one field that holds the whole value as JSON. */
  readonly field?: string;
  /** Form: the separator that joins the names of nested fields, as in `csr.cn`. */
  readonly separator?: string;
  /** CSV: converts the rows into the value. Throws CodecError for rows of a different form. */
  readonly fromRows?: (rows: CsvRows) => unknown;
  /** CSV: where the table is, which may be too long for memory. */
  readonly table?: CsvTable;
}

/** The table in a CSV body, which has a few other lines. */
export interface CsvTable {
  /** The lines directly before and after the table. */
  readonly begin: string;
  readonly end: string;
  /** The names of its columns, from the lines before it. Throws CodecError if they have none. */
  readonly columns: (before: CsvRows) => readonly string[];
  /** The path of its rows in the value. */
  readonly at: string;
}

/** The codec of a media type that a definition names. */
const codecOf = (type: string): Codec =>
  /[/+]json$/.test(type)
    ? "json"
    : type === "application/x-www-form-urlencoded"
      ? "form"
      : /[/+]xml$/.test(type)
        ? "xml"
        : "text";

/** A medium of a definition, with the codec of its type. */
export const mediumOf = (type: string, schema: z.ZodType): Media => ({ type, codec: codecOf(type), schema });

type Fields = z.ZodType | z.ZodRawShape;
type SchemaOf<F extends Fields> = F extends z.ZodType
  ? F
  : F extends z.ZodRawShape
    ? z.ZodObject<F, z.core.$strict>
    : never;
const schemaOf = <F extends Fields>(fields: F): SchemaOf<F> =>
  (fields instanceof z.ZodType ? fields : openObject(fields as z.ZodRawShape)) as SchemaOf<F>;

/** A JSON body. A plain record of fields becomes an open object; use a closed one if an unknown field could do harm. */
export const json = <F extends Fields>(fields: F, type = "application/json"): Media<SchemaOf<F>> => ({
  type,
  codec: "json",
  schema: schemaOf(fields),
});
/** A medium whose type has arguments that need no description beyond their names. */
export const saidByName = <S extends z.ZodType>(medium: Media<S>): Media<S> => ({ ...medium, isSaidByName: true });
const formType = "application/x-www-form-urlencoded";
export const form = <F extends Fields>(fields: F, type = formType): Media<SchemaOf<F>> => ({
  type,
  codec: "form",
  schema: schemaOf(fields),
});
/** A form in which nested fields are written with joined names, such as `csr.cn`. */
export const formNested = <F extends Fields>(separator: string, fields: F): Media<SchemaOf<F>> => ({
  ...form(fields),
  separator,
});
/** A form with a single field whose text is the JSON of the whole value. */
export const formJson = <F extends Fields>(field: string, fields: F): Media<SchemaOf<F>> => ({
  ...form(fields),
  field,
});
export const xml = <F extends Fields>(root: string, fields: F, type = "application/xml"): Media<SchemaOf<F>> => ({
  type,
  codec: "xml",
  schema: schemaOf(fields),
  root,
});
/** A CSV body, whose rows `fromRows` reads into the value that the schema describes. */
export const csv = <S extends z.ZodType>(
  schema: S,
  fromRows: (rows: CsvRows) => unknown,
  table: CsvTable,
): Media<S> => ({
  type: "text/csv",
  codec: "csv",
  schema,
  fromRows,
  table,
});
/** A body that is plain text. */
export const text = <S extends z.ZodType>(schema: S, type: string): Media<S> => ({ type, codec: "text", schema });
export const empty: Media<z.ZodUndefined> = { type: "", codec: "empty", schema: z.undefined() };

/**
 * Media that an argument chooses, keyed by its values. The argument is declared by the operation (such as a kind in the
 * path) or else added to it, with the first value as the default (such as the version of a media type). Choices can be
 * nested, such as the versions of one kind.
 */
export interface ChosenMedia<M extends Media = Media> {
  readonly argument: string;
  readonly choices: Readonly<Record<string, BodyMedia<M>>>;
}
type MediaOf<B> = B extends Media
  ? B
  : B extends readonly (infer M extends Media)[]
    ? M
    : B extends ChosenMedia<infer M>
      ? M
      : never;
export const chosenBy = <C extends Readonly<Record<string, BodyMedia>>>(
  argument: string,
  choices: C,
): ChosenMedia<MediaOf<C[keyof C]>> => ({
  argument,
  choices: choices as Readonly<Record<string, BodyMedia<MediaOf<C[keyof C]>>>>,
});

/** One medium, several of which the first matching one is used, or media that an argument chooses. */
export type BodyMedia<M extends Media = Media> = M | readonly M[] | ChosenMedia<M>;
/** Status to body. */
export type Returns = Readonly<Record<number, BodyMedia>>;

/** For operations whose response the documents do not show: any 2xx status with any body. */
export const undocumented = {
  200: json(z.unknown()),
  201: json(z.unknown()),
  202: json(z.unknown()),
  204: empty,
} as const;

/** A header with a fixed value, or with the value of an argument. */
export type Header = string | { readonly argument: string; readonly schema: z.ZodType };

const isChosen = (bodies: BodyMedia): bodies is ChosenMedia => "choices" in bodies;
const listed = (media: Media | readonly Media[]): readonly Media[] => ("codec" in media ? [media] : media);

/** The choice among media, or the list of media if there is no choice. */
export const choiceOrMedia = (bodies: BodyMedia): ChosenMedia | readonly Media[] =>
  isChosen(bodies) ? bodies : listed(bodies);

/** All media that bodies can have, whatever the arguments. */
export function mediaList(bodies: BodyMedia | undefined): readonly Media[] {
  if (bodies === undefined) return [];
  return isChosen(bodies) ? Object.values(bodies.choices).flatMap(mediaList) : listed(bodies);
}

/** The schema of a parameter, whatever its style. */
export const schemaOfParam = (value: z.ZodType | Param): z.ZodType => ("style" in value ? value.schema : value);
/** The style of a parameter; a plain schema has the plain one. */
export const styleOf = (value: z.ZodType | Param): Style => ("style" in value ? value.style : "plain");
