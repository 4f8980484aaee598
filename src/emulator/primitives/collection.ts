/** The life that most objects of an API have: they are listed, created, read, replaced and deleted under one path. */
import { ok } from "../reply.js";
import type { World } from "../world.js";
import type { Store } from "./store.js";

type Headers = Readonly<Record<string, string>>;

/** One kind of objects: `W` is the path of their list, `P` that of one of them, `B` what is written, `R` what is answered. */
interface CollectionKind<T extends object, W, P extends W, Q, B, R> {
  /** Where they are kept; refuses a call that has no access. */
  readonly store: (world: World, path: W, query: Q) => Store<T>;
  readonly id: (path: P) => string | number;
  /** One of them as it is answered. */
  readonly view: (one: T, world: World, query: Q) => R;
  /** The object that a request makes, of a former one where it replaces one; refuses what cannot be written. */
  readonly write: (body: B, world: World, former: T | undefined, path: W) => T;
  /** Refuses to replace or delete one of them. */
  readonly checkChange?: (one: T, world: World, headers: Headers) => void;
  /** Refuses to delete one of them. */
  readonly checkDeletion?: (one: T, world: World) => void;
  /** Headers of the answers about one of them. */
  readonly headers?: (one: T) => Headers;
  /** The address that an answer about a new one names. */
  readonly location?: (one: T, path: W) => string;
}
interface PathCall<P, Q> {
  readonly path: P;
  readonly query: Q;
  readonly headers: Headers;
}
interface BodyCall<P, Q, B> extends PathCall<P, Q> {
  readonly body: B;
}

/**
 * What the emulator does with the objects of a kind. Each but the list is given the answer that it makes, from the object
 * as it is answered and the headers: `created`, `ok`, or the service's function.
 */
export function collection<T extends object, W, P extends W, Q, B, R>(kind: CollectionKind<T, W, P, Q, B, R>) {
  const { store, view, write, headers = () => ({}) } = kind;
  const changeable = ({ path, query, headers: given }: PathCall<P, Q>, world: World) => {
    const object = store(world, path, query).find(kind.id(path));
    kind.checkChange?.(object, world, given);
    return object;
  };
  return {
    list: ({ path, query }: PathCall<W, Q>, world: World) =>
      ok(store(world, path, query).all.map((object) => view(object, world, query))),
    get:
      <A>(answer: (shown: R, headers: Headers) => A) =>
      ({ path, query }: PathCall<P, Q>, world: World): A => {
        const object = store(world, path, query).find(kind.id(path));
        return answer(view(object, world, query), headers(object));
      },
    create:
      <A>(answer: (shown: R, headers: Headers) => A) =>
      ({ path, query, body }: BodyCall<W, Q, B>, world: World): A => {
        const objects = store(world, path, query);
        const object = objects.add(write(body, world, undefined, path));
        const location = kind.location?.(object, path);
        return answer(view(object, world, query), { ...headers(object), ...(location !== undefined && { location }) });
      },
    update:
      <A>(answer: (shown: R, headers: Headers) => A) =>
      (call: BodyCall<P, Q, B>, world: World): A => {
        const former = changeable(call, world);
        const object = store(world, call.path, call.query).add(write(call.body, world, former, call.path));
        return answer(view(object, world, call.query), headers(object));
      },
    remove:
      <A>(answer: () => A) =>
      (call: PathCall<P, Q>, world: World): A => {
        const object = changeable(call, world);
        kind.checkDeletion?.(object, world);
        store(world, call.path, call.query).delete(kind.id(call.path));
        return answer();
      },
  };
}
