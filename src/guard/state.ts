/** The present state of a guarded call: the part that a write can set, and the refusal of outdated changes. */
import type { Arguments, Lock } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { readerOf } from "../language/effect.js";
import { Failure, quoteValue } from "../language/failure.js";
import { markAmong } from "../language/marks.js";
import { memberAt, omitted } from "../language/member.js";
import { isReadOnly } from "../language/read-only.js";
import { declares, formsOf, isNamed, withEachAt } from "../language/shape.js";
import type { z } from "../language/z.js";
import { argumentsSchema } from "../schema/arguments.js";
import { maskSecrets } from "../secrets/masking.js";
import { type DifferenceOptions, type FieldDifference, fieldDifferences } from "./difference.js";

/** The state, as an operation returns it. */
export interface PresentState {
  readonly body: unknown;
  /** The schemas of the operation's responses. */
  readonly schemas: readonly z.ZodType[];
  /** The arguments that it was read with. */
  readonly asked?: Arguments;
  /** Further context of the preview, by name; undefined if the object does not exist. */
  readonly related?: Readonly<Record<string, PresentState | undefined>>;
  /** What an approval is bound to in addition to the body, by name. */
  readonly bound?: Readonly<Record<string, unknown>>;
  /** The operations of `relatedReads` that could not be read. */
  readonly unread?: readonly string[];
}

/**
 * The part of a value that a write can set. Fields that the write does not accept or that are read-only, such as an id
 * or the time of the last change, are not removed by a replacement without them.
 * @param forms The schemas of the written value, from `formsOf`.
 * @param stored The stored value, or the value to be written.
 * @param undocumented The names of undocumented fields that the write sets.
 */
export function writablePart(forms: readonly z.ZodType[], stored: unknown, undocumented: ReadonlySet<string>): unknown {
  const isWritten = (key: string, own: readonly z.ZodType[]) =>
    (!isNamed(forms) || undocumented.has(key) || forms.some((form) => declares(form, key))) && !isReadOnly(own);
  return withEachAt(forms, stored, (member, own, key) =>
    typeof key === "number" || isWritten(key, own) ? writablePart(own, member, undocumented) : omitted,
  );
}

const linkAmong = markAmong("link");

function withoutLinkMembersAt(forms: readonly z.ZodType[], value: unknown): unknown {
  if (forms.length === 0) return value;
  return withEachAt(forms, value, (member, own, key) =>
    typeof key === "string" && linkAmong(own) ? omitted : withoutLinkMembersAt(own, member),
  );
}

/** A value without the fields that its schemas mark as links. */
export const withoutLinkMembers = (schemas: readonly z.ZodType[], value: unknown): unknown =>
  withoutLinkMembersAt(schemas.flatMap(formsOf), value);

type Members = Readonly<Record<string, unknown>>;

const maxNames = 12;

/** Names in a sentence, limited to the first ones. */
function namesInWords(names: readonly string[]): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** An entity tag has double quotes in a header and often none in a body. */
const withoutQuotes = (stamp: unknown): unknown =>
  typeof stamp === "string" ? stamp.replace(/^(?:W\/)?"(.*)"$/, "$1") : stamp;
const sameStamp = (present: unknown, sent: unknown): boolean =>
  sent === "*" || withoutQuotes(present) === withoutQuotes(sent);

/**
 * A refusal for a stale stamp, with the differences between the present state and what was sent: `from` is the present
 * value, `to` was sent; fields that were not sent are left out. If the present stamp is not different, the refusal is
 * returned unchanged.
 * @param present The present response of the operation that reads the stamp.
 */
export function explainConflict(
  conflict: Failure,
  operation: AnyOperation,
  { field, from: reads, at = field }: Lock,
  args: Arguments,
  present: PresentState | undefined,
): Failure {
  const [sentStamp, stamp] = [memberAt(args, field), memberAt(present, at)];
  if (stamp === undefined || stamp === null || sameStamp(stamp, sentStamp)) return conflict;
  const sentBody = (args["body"] ?? {}) as Members;
  const show: DifferenceOptions["show"] = (value, path) =>
    maskSecrets(present?.schemas ?? [], maskSecrets([argumentsSchema(operation)], value, ["body", ...path]), path);
  const changed = Object.entries(sentBody)
    .flatMap(([key, value]): FieldDifference[] =>
      fieldDifferences(memberAt(present?.body, [key]), value, { at: [key], show }),
    )
    .filter(({ at: place }) => `body.${place}` !== field);
  const where = namesInWords([...new Set(changed.map(({ at: place }) => place))]);
  return new Failure(conflict.code, conflict.message, {
    ...conflict.detail,
    why: `${field} is ${quoteValue(stamp)} now, and ${sentStamp === undefined ? "none was sent." : `${quoteValue(sentStamp)} was sent: someone else has made a change since it was read.`} ${where === "" ? "The rest of the request matches the present state." : `The request differs from the present state in ${where}.`}`,
    next: `Read it again with ${reads}, decide based on the present state, and send the change with the new stamp.`,
    changed,
  });
}

/**
 * Refuses a call whose version stamp is not the present one: the API would refuse it after its approval.
 * @throws Failure `conflict`, with the differences and what to read again.
 */
export function refuseStale(
  tool: string,
  operation: AnyOperation,
  args: Arguments,
  present: PresentState | undefined,
): void {
  const { lock } = operation.spec;
  if (lock === undefined || lock.from !== readerOf(operation)?.by || memberAt(args, lock.field) === undefined) return;
  const stale = new Failure("conflict", `${tool} was not sent, because ${lock.field} is not the current stamp.`, {
    next: `Read it again with ${lock.from}.`,
  });
  const explanation = explainConflict(stale, operation, lock, args, present);
  if (explanation !== stale) throw explanation;
}
