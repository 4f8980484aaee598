/** Pairs of calls that differ in one scalar, made from an operation's schema, and the previews of both. */
import fc from "fast-check";
import { requestHash } from "../../src/guard/difference.js";
import { describeAll } from "../../src/guard/preview/several.js";
import { type CallDescription, describe, type Preview } from "../../src/guard/preview.js";
import type { PresentState } from "../../src/guard/state.js";
import type { AnyOperation } from "../../src/language/define.js";
import { Failure } from "../../src/language/failure.js";
import { memberAt, withMember } from "../../src/language/member.js";
import { onceFor } from "../../src/language/once-for.js";
import { formsAt, formsOf } from "../../src/language/shape.js";
import { resolvedExample } from "../../src/pages/example.js";
import { argumentsSchema, validateArguments } from "../../src/schema/arguments.js";
import { maskSecrets } from "../../src/secrets/masking.js";
import { resolveRequest } from "../../src/wire/request.js";
import { runs } from "../lab/depth.js";
import { filled } from "../lab/secret-files.js";
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
  readonly description: CallDescription;
  readonly preview: Preview;
  readonly hash: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The preview of a call; undefined for arguments that the operation does not take. */
export async function madeOf(operation: AnyOperation, args: unknown, state?: PresentState): Promise<Made | undefined> {
  try {
    const checked = validateArguments("tool", operation, args);
    const request = await resolveRequest("tool", operation, await filled(operation, checked), target);
    const { confirm: _, ...values } = checked.values;
    const description = describe("tool", operation, checked, request, "the account", state);
    return {
      description,
      preview: describeAll("tool", [description]),
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
  state?: PresentState,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const schema = argumentsSchema(operation);
  const calls = await Promise.all(
    bases.map(async (base) => ({ base, one: await madeOf(operation, base, state), seen: maskSecrets([schema], base) })),
  );
  for (let seed = 1; pairs.length < count && seed <= count; seed += 1)
    for (const { base, one, seen } of calls) {
      if (!one) continue;
      const paths = scalarsIn(base);
      // Of a large value every so many scalars, other ones each time.
      const step = Math.ceil(paths.length / maxScalars);
      for (const path of paths.filter((_, at) => at % step === seed % step)) {
        if (ofNoRequest.includes(String(path[0]))) continue;
        const isSecret = memberAt(seen, path) !== memberAt(base, path);
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
export function basesOf(operation: AnyOperation): readonly object[] {
  const few = fc.sample(valuesOf(argumentsSchema(operation)), { numRuns: runs(1), seed: 8 }) as object[];
  return [resolvedExample(operation.spec.example, Date.now()), ...few];
}

/** The lists in arguments that hold something, by their paths. */
function listsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  const inner = Object.entries(value).flatMap(([key, member]) =>
    listsIn(member, [...path, isList ? Number(key) : key]),
  );
  return isList && value.length > 0 ? [path, ...inner] : inner;
}

/** Texts and numbers like one that is given, each another one, in forms that addresses, hosts, mails and ids take. */
function like(value: unknown, at: number): unknown[] {
  if (typeof value === "number") return [value + at];
  if (typeof value !== "string") return [];
  const parts = /^(.*?)(\d+)([^\d]*)$/.exec(value);
  const counted = parts ? [`${parts[1]}${Number(parts[2]) + at}${parts[3]}`] : [];
  const host = value.replace(/^([a-z]+:\/\/)?/i, `$1n${at}`);
  return [...counted, `${value}${at}`, host, `n${at}${value}`];
}

/** Another item like one that is given: one of its scalars is another one. */
function itemsLike(item: unknown, at: number): unknown[] {
  if (at === 0) return [item];
  return scalarsIn(item).flatMap((path) =>
    like(memberAt(item, path), at).map((value) => (path.length === 0 ? value : withMember(item, path, value))),
  );
}

/** Arguments with so many items in the list at a path, each as it is taken by the operation; undefined where that cannot be. */
export async function grownAt(
  operation: AnyOperation,
  base: unknown,
  path: Path,
  count: number,
): Promise<object | undefined> {
  const [first] = memberAt(base, path) as readonly unknown[];
  const items: unknown[] = [];
  for (let at = 0; items.length < count; at += 1) {
    let isFound = false;
    for (const item of itemsLike(first, at)) {
      if (!(await madeOf(operation, withMember(base, path, [...items, item])))) continue;
      items.push(item);
      isFound = true;
      break;
    }
    if (!isFound) return undefined;
  }
  return withMember(base, path, items) as object;
}

export const listPathsOf = (base: unknown): Path[] => listsIn(base);

/** The preview of a call that is altered at one place after another. */
const usual = onceFor((base: object) => onceFor((operation: AnyOperation) => madeOf(operation, base)));

/** Calls that differ from one in the scalar at a path alone, each in another way, as far as the operation takes them. */
export async function alteredAt(operation: AnyOperation, base: object, path: Path, most = 1): Promise<Made[]> {
  const one = await usual(base)(operation);
  const found: Made[] = [];
  if (!one) return found;
  const others = [...like(memberAt(base, path), 977), ...othersOf(operation, path, memberAt(base, path), 5)];
  for (const value of others) {
    if (found.length === most) break;
    const other = await madeOf(operation, withMember(base, path, value));
    if (other && [one, ...found].every(({ hash }) => hash !== other.hash)) found.push(other);
  }
  return found;
}

const maskedOnce = onceFor((base: object) =>
  onceFor((operation: AnyOperation) => maskSecrets([argumentsSchema(operation)], base)),
);
export const isSecretAt = (operation: AnyOperation, base: object, path: Path): boolean =>
  memberAt(maskedOnce(base)(operation), path) !== memberAt(base, path);
