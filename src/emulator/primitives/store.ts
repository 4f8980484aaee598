/** The objects of one kind, which every behaviour that shows or changes them shares. */
import { notFound, orRefuse, type RequestRefusal } from "../reply.js";

/** Objects by the member that is their key, in the order in which they were added; text and number are the same key. */
export class Store<T extends object> {
  readonly #objects = new Map<string, T>();
  readonly #key: keyof T;
  readonly #missing: (key: string | number) => RequestRefusal | string;

  /** @param missing The refusal of a key that is not there, or the sentence of a 404. */
  constructor(key: keyof T, missing: (key: string | number) => RequestRefusal | string, all: Iterable<T> = []) {
    this.#key = key;
    this.#missing = missing;
    for (const object of all) this.add(object);
  }

  get all(): readonly T[] {
    return [...this.#objects.values()];
  }
  get(key: string | number): T | undefined {
    return this.#objects.get(String(key));
  }
  has(key: string | number): boolean {
    return this.#objects.has(String(key));
  }
  /** The object with a key; refuses if there is none. */
  find(key: string | number): T {
    const found = this.get(key);
    if (found !== undefined) return found;
    const missing = this.#missing(key);
    throw typeof missing === "string" ? notFound(missing) : missing;
  }
  /** Adds an object, or puts it in the place of the one with its key. */
  add(object: T): T {
    this.#objects.set(String(object[this.#key]), object);
    return object;
  }
  delete(key: string | number): boolean {
    return this.#objects.delete(String(key));
  }
  /**
   * Another object with the same value in a member.
   * @param object The object that does not count.
   */
  rival<K extends keyof T>(member: K, value: T[K], object?: T): T | undefined {
    return this.all.find((other) => other !== object && other[member] === value);
  }
  /** The objects as they are now; later additions and deletions do not change it. */
  copy(): Store<T> {
    return new Store(this.#key, this.#missing, this.all);
  }
}

/** Objects by their ids, in their order. */
export const byId = <I, T extends { readonly id: I }>(all: readonly (T & { readonly id: I })[]): Map<I, T> =>
  new Map(all.map((one) => [one.id, one]));

/**
 * The first object that has the wanted members; refuses if there is none, with 404 if a message is given.
 * @param wanted The members by which it is looked for.
 */
export function findIn<T extends object>(
  all: Iterable<T>,
  wanted: { readonly [K in keyof T]?: unknown },
  missing: string | (() => RequestRefusal),
): T {
  const members = Object.entries(wanted) as [keyof T, unknown][];
  const found = [...all].find((one) => members.every(([name, value]) => one[name] === value));
  return orRefuse(found, typeof missing === "string" ? () => notFound(missing) : missing);
}
