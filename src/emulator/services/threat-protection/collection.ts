/** The life that the objects of a configuration share: listed, made, read, replaced and removed, each under a stamp. */
import { threatProtection as declared } from "../../../tools/threat-protection/index.js";
import { othersIn } from "../../others.js";
import { ok } from "../../reply.js";
import type { World } from "../../world.js";
import {
  type Configuration,
  checkName,
  checkStamp,
  configurationOf,
  etagOf,
  type Kept,
  keptIn,
  made,
  type Named,
  renewed,
} from "./store.js";

/** One kind of objects: where they are kept, what is written of one, and what is refused. */
interface Kind<T extends Named, P, B extends { readonly name: string }, R> {
  /** What one of them is called, in refusals and in the names of the operations. */
  readonly what: "site" | "policy" | "honeypot" | "list";
  /** Their segment in paths. */
  readonly segment: string;
  readonly firstId: number;
  readonly among: (own: Configuration) => Map<number, T>;
  readonly idIn: (path: P) => number;
  readonly shown: (own: Configuration, one: T) => R;
  /** The object that a request writes, in the place of `present` where there is one. */
  readonly written: (body: B, kept: Kept, present?: T) => T;
  /** Refuses to change or remove a protected one. */
  readonly checkOrdinary?: (one: T) => void;
  /** Refuses what a request says of other objects. */
  readonly check?: (own: Configuration, body: B) => void;
  /** What a write does to other objects. */
  readonly settle?: (world: World, own: Configuration, id: number, body: B) => void;
  /** Refuses to remove what others use. */
  readonly checkUnused?: (own: Configuration, one: T) => void;
}

interface Whole {
  readonly configId: number;
}
type Headers = Readonly<Record<string, string>>;
/** A call that writes what must not have been changed meanwhile. */
interface Written<P> {
  readonly path: P;
  readonly headers: Headers;
}

/** What the emulator does with the objects of a kind. */
export function collection<T extends Named, P extends Whole, B extends { readonly name: string }, R>(
  kind: Kind<T, P, B, R>,
) {
  const { what, among, shown } = kind;
  const others = (verb: "create" | "update", body: B) => ({
    others: othersIn(declared.operations[`threat_${what}_${verb}`], body),
  });
  const find = (world: World, path: P) => {
    const own = configurationOf(world, path.configId);
    return { own, one: keptIn(among(own), what, kind.idIn(path)) };
  };
  const findChangeable = (world: World, path: P, headers: Headers) => {
    const found = find(world, path);
    checkStamp(found.one, headers);
    kind.checkOrdinary?.(found.one);
    return found;
  };
  return {
    list: ({ path }: { readonly path: Whole }, world: World) => {
      const own = configurationOf(world, path.configId);
      return ok([...among(own).values()].map((one) => shown(own, one)));
    },
    create: ({ path: { configId }, body }: { readonly path: Whole; readonly body: B }, world: World) => {
      const own = configurationOf(world, configId);
      checkName(among(own), body.name);
      kind.check?.(own, body);
      const id = world.next(`threat ${what}`, kind.firstId);
      const one = kind.written(body, { ...made(world, id), ...others("create", body) });
      among(own).set(id, one);
      kind.settle?.(world, own, id, body);
      return ok(undefined, { location: `/etp-config/v1/configs/${configId}/${kind.segment}/${id}`, ...etagOf(one) });
    },
    get: ({ path }: { readonly path: P }, world: World) => {
      const { own, one } = find(world, path);
      return ok(shown(own, one), etagOf(one));
    },
    update: ({ path, headers, body }: Written<P> & { readonly body: B }, world: World) => {
      const { own, one } = findChangeable(world, path, headers);
      checkName(among(own), body.name, one.id);
      kind.check?.(own, body);
      const next = kind.written(body, { ...renewed(world, one), ...others("update", body) }, one);
      among(own).set(one.id, next);
      kind.settle?.(world, own, one.id, body);
      return ok(undefined, etagOf(next));
    },
    remove: ({ path, headers }: Written<P>, world: World) => {
      const { own, one } = findChangeable(world, path, headers);
      kind.checkUnused?.(own, one);
      among(own).delete(one.id);
      return ok(undefined);
    },
  };
}
