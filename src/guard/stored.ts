/** What the API made of a change: its answer, compared with what was approved. */
import { returnedSchemas } from "../language/choice.js";
import type { DifferenceLine } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { headLine } from "../language/difference-lines.js";
import { guardOf } from "../language/effect.js";
import { isSecret } from "../language/marks.js";
import { isRecord, memberAt, omitted } from "../language/member.js";
import { type ChangeLine, review } from "../language/review.js";
import { declares, formsAt, formsOf, formsOfAll, withEachAt } from "../language/shape.js";
import type { z } from "../language/z.js";
import { argumentsSchema, type ValidatedArguments } from "../schema/arguments.js";
import { unknownNames } from "../schema/unknown-members.js";
import { isSecretName } from "../secrets/masking.js";
import { placesOf, sentMembersOf } from "./preview.js";
import { writablePart } from "./state.js";

const withoutSecrets = (forms: readonly z.ZodType[], value: unknown): unknown =>
  withEachAt(forms, value, (member, own, key) =>
    own.some(isSecret) || isSecretName(key) ? omitted : withoutSecrets(own, member),
  );

function comparedWithAnswer(operation: AnyOperation, args: ValidatedArguments, answer: unknown): readonly ChangeLine[] {
  const { replaces, write, review: form = {} } = guardOf(operation) ?? {};
  if (replaces === undefined || operation.spec.awaits !== undefined) return [];
  const { path, place } = placesOf(replaces);
  const sentMembers = sentMembersOf(args);
  const [sent, stored] = [memberAt(sentMembers, path), memberAt(answer, place)];
  if (!isRecord(sent) || !isRecord(stored)) return [];
  const answered = place.reduce(formsAt, formsOfAll(returnedSchemas(operation)));
  const hasState = Object.keys(sent).every((name) => answered.some((one) => declares(one, name)));
  if (!hasState) return [];
  const schema = argumentsSchema(operation);
  const forms = path.reduce(formsAt, formsOf(schema));
  const undocumented = unknownNames(schema, sentMembers);
  const { field, at = field } = operation.spec.lock ?? {};
  const compared = (value: Readonly<Record<string, unknown>>): unknown => {
    const part = withoutSecrets(forms, writablePart(forms, value, undocumented));
    return Object.fromEntries(
      Object.entries(part as object).filter(
        ([name]) =>
          ![field, at].includes([...path, name].join(".")) && (write !== "merge" || Object.hasOwn(sent, name)),
      ),
    );
  };
  // An API that has no value for a member says null or nothing.
  const usual = { "*": null, ...form.usual };
  return review(compared(sent), compared(stored), { ...form, usual }).changes.filter(({ isEmptied }) => !isEmptied);
}

/**
 * What the answer of a write has otherwise than it was sent, from the sent value to the stored one; empty if the rest of the
 * two is equal but for order, ids, stamps and defaults, or if the answer does not have the state. No request is made for it.
 * Secrets, by their marks or their names, and version stamps are not compared. It never throws, because the change is done:
 * of an answer that cannot be compared, such as a very deep one, the line says that it is unknown.
 * @param answer The body of the answer.
 */
export function storedDifference(
  operation: AnyOperation,
  args: ValidatedArguments,
  answer: unknown,
): readonly DifferenceLine[] {
  try {
    return comparedWithAnswer(operation, args, answer);
  } catch {
    return [headLine("unknown, because the answer could not be compared with what was sent")];
  }
}
