/** Pairs of calls that differ in one scalar, made from an operation's schema, and the previews of both. */
import fc from "fast-check";
import { argumentsSchema, checkArguments } from "../../src/api/arguments.js";
import type { AnyOperation } from "../../src/api/define.js";
import { resolvedExample } from "../../src/api/example.js";
import { Failure } from "../../src/api/failure.js";
import { memberAt, withMember } from "../../src/api/member.js";
import { masked } from "../../src/api/secret.js";
import { formsAt, formsOf } from "../../src/api/shape.js";
import { resolveRequest } from "../../src/client/request.js";
import { requestHash } from "../../src/guard/hash.js";
import { describe, type Preview } from "../../src/guard/preview.js";
import type { State } from "../../src/guard/state.js";
import { filled } from "../secret-values.js";
import { valuesOf } from "./schema-values.js";

type Path = readonly PropertyKey[];
const target = { origin: "https://h.example", vendor: "v" };
const ofNoRequest = ["confirm", "wait"];

/** The paths of all scalars in a value. */
export function scalarsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, member]) => scalarsIn(member, [...path, isList ? Number(key) : key]));
}

/** Other values for a scalar: those that its schema makes, and the value with something added to it. */
export function othersOf(operation: AnyOperation, path: Path, value: unknown, seed: number): unknown[] {
  const forms = path.reduce(formsAt, formsOf(argumentsSchema(operation)));
  const made = forms.flatMap((form) => {
    try {
      return fc.sample(valuesOf(form), { numRuns: 3, seed });
    } catch {
      // A schema that no made-up text suits is varied by what is added to its value.
      return [];
    }
  });
  const own = typeof value === "number" ? [value + seed] : typeof value === "boolean" ? [!value] : [`${value}${seed}`];
  return [...own, ...made].filter((other) => (typeof other !== "object" || other === null) && other !== value);
}

interface Made {
  readonly preview: Preview;
  readonly hash: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The preview of a call; undefined for arguments that the operation does not take. */
export async function madeOf(operation: AnyOperation, args: unknown, state?: State): Promise<Made | undefined> {
  try {
    const checked = checkArguments("tool", operation, args);
    const request = await resolveRequest("tool", operation, await filled(operation, checked), target);
    const { confirm: _, ...values } = checked.values;
    const preview = describe("tool", operation, checked, request, "the account", state);
    return {
      preview,
      hash: requestHash(request),
      values: { ...values, ...(checked.body === undefined ? {} : { body: checked.body }) },
    };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

export interface Pair {
  readonly path: Path;
  readonly isSecret: boolean;
  readonly one: Made;
  readonly other: Made;
}

const maxScalars = 10;

/** At least as many pairs as asked for where the schema allows, of calls whose requests differ because one scalar does. */
export async function pairsOf(
  operation: AnyOperation,
  bases: readonly unknown[],
  count: number,
  state?: State,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const schema = argumentsSchema(operation);
  for (let seed = 1; pairs.length < count && seed <= count; seed += 1)
    for (const base of bases) {
      const one = await madeOf(operation, base, state);
      if (!one) continue;
      const paths = scalarsIn(base);
      // Of a large value every so many scalars, other ones each time.
      const step = Math.ceil(paths.length / maxScalars);
      for (const path of paths.filter((_, at) => at % step === seed % step)) {
        if (ofNoRequest.includes(String(path[0]))) continue;
        const isSecret = memberAt(masked([schema], base), path) !== memberAt(base, path);
        for (const value of othersOf(operation, path, memberAt(base, path), seed)) {
          const other = await madeOf(operation, withMember(base, path, value), state);
          if (!other || other.hash === one.hash) continue;
          pairs.push({ path, isSecret, one, other });
          break;
        }
      }
    }
  return pairs;
}

/** Arguments that an operation takes: its example, and made-up ones. */
export function basesOf(operation: AnyOperation): unknown[] {
  const made = fc.sample(valuesOf(argumentsSchema(operation)), { numRuns: 40, seed: 8 });
  return [resolvedExample(operation.spec.example, Date.now()), ...made.slice(0, 12)];
}
