/** Arguments that can be left out: because another one determines them, or because they repeat the state. */
import { didYouMean, guessName } from "../text/nearest.js";
import type { Resolve } from "./check.js";
import type { AnyOperation } from "./define.js";
import { type FieldProblem, quoteValue } from "./failure.js";
import { type DeterminedValues, markOf, markSchema } from "./marks.js";
import { schemaOfParam } from "./media.js";
import { memberAt, withMember } from "./member.js";
import { onceFor } from "./once-for.js";
import { declares, formsOf } from "./shape.js";
import type { z } from "./z.js";

type Members = Readonly<Record<string, unknown>>;

/**
 * Marks a path or query argument that can be left out because another one determines it.
 * @param from The other argument.
 * @param values Its known values, each with the value of this argument.
 */
export const determinedBy = <S extends z.ZodType>(from: string, values: Members, schema: S): S =>
  markSchema(schema, { determinedBy: { from, values } });

/** The arguments of an operation that another one determines, each with that one. */
export const determinedArguments = onceFor(
  ({ spec }: AnyOperation): readonly (DeterminedValues & { readonly argument: string })[] =>
    Object.entries({ ...spec.path, ...spec.query }).flatMap(([argument, param]) => {
      const mark = markOf(schemaOfParam(param), "determinedBy");
      return mark === undefined ? [] : [{ argument, ...mark }];
    }),
);

/** A call's arguments completed by those that others determine, and notes about it. */
export function fillIn(operation: AnyOperation, input: Members) {
  const values = { ...input };
  const problems: FieldProblem[] = [];
  const notes: string[] = [];
  for (const { argument, from, values: known } of determinedArguments(operation)) {
    if (input[argument] !== undefined) continue;
    const key = String(input[from]);
    if (Object.hasOwn(known, key)) {
      values[argument] = known[key];
      notes.push(`${argument} was left out; ${quoteValue(known[key])} was used, the known one for ${key}.`);
      continue;
    }
    const names = Object.keys(known);
    const takes = `a value; it is required unless ${from} is one of ${names.join(", ")}${didYouMean(key, names)}`;
    const meant = guessName(key, names);
    problems.push({
      field: argument,
      takes,
      ...(meant === undefined ? {} : { mends: [{ at: [from], value: meant, isGuess: true }] }),
    });
  }
  return { values, problems, notes };
}

/**
 * A field of the body that repeats the state, such as the hash of what is acknowledged, so that nothing else is acted
 * upon: filled in if it is left out, and refused if the state differs. It applies if the body's medium has it.
 * @param argument Its path: `body.hash`.
 * @param at Its path in the state.
 * @param shownBy The operation that shows the state.
 */
export const repeats =
  (argument: string, at: string, shownBy: string): Resolve =>
  async ({ args, medium, present }) => {
    const path = argument.split(".");
    const asked = withMember(args, path, undefined) as Members;
    const unchanged = { values: {}, notes: [], asked };
    const name = path.at(-1) ?? "";
    if (medium === undefined || !formsOf(medium.schema).some((form) => declares(form, name))) return unchanged;
    const value = memberAt(await present(), at);
    const inputValue = memberAt(args, path);
    if (inputValue !== undefined && (value === undefined || inputValue === value)) return unchanged;
    if (value === undefined)
      return { problems: [{ field: argument, takes: `the ${at} of ${shownBy}, which has none now` }] };
    if (inputValue !== undefined) {
      const takes = `the present one, ${quoteValue(value)}: the state in ${shownBy} has changed; read it again`;
      return { problems: [{ field: argument, given: quoteValue(inputValue), takes }] };
    }
    const { body } = withMember(args, path, value) as Members;
    const note = `${argument} was left out; the present value ${quoteValue(value)} from ${shownBy} was used.`;
    return { values: { body }, notes: [note], asked };
  };
