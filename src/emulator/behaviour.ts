/** The types of the emulator's behaviours, derived from the declarations of their operations. */
import type { ChosenMedia, Media, Operation, Param } from "../language/define.js";
import type { Service } from "../language/service.js";
import type { z } from "../language/z.js";

type Unwrap<T> = T extends Param<infer S> ? z.output<S> : T extends z.ZodType ? z.output<T> : never;
type Values<P> = { [K in keyof P as undefined extends Unwrap<P[K]> ? never : K]: Unwrap<P[K]> } & {
  [K in keyof P as undefined extends Unwrap<P[K]> ? K : never]?: Exclude<Unwrap<P[K]>, undefined>;
};
type Shape<M> =
  M extends Media<infer S>
    ? z.output<S>
    : M extends readonly (infer X)[]
      ? Shape<X>
      : M extends ChosenMedia<infer C>
        ? Shape<C>
        : never;

/** The input of an emulator behaviour: decoded and validated values, and the raw headers by lower-case name. */
export type Call<O> =
  O extends Operation<infer _R, infer P, infer Q, infer B, infer _A, infer _H, infer _N, infer _U>
    ? {
        readonly path: Values<P>;
        readonly query: Values<Q>;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: [B] extends [never] ? undefined : Shape<B>;
        /** The values of the arguments that choose media, as the media of the request show them. */
        readonly chosen?: Readonly<Record<string, string>>;
      }
    : never;
/** The result of an emulator behaviour: a declared status with its body. Failures are thrown. */
type Reply<O> =
  O extends Operation<infer _R, infer _P, infer _Q, infer _B, infer A, infer _H, infer _N, infer _U>
    ? {
        [S in keyof A & number]: {
          readonly status: S;
          readonly body: Shape<A[S]>;
          readonly headers?: Readonly<Record<string, string>>;
        };
      }[keyof A & number]
    : never;

/** A behaviour for each operation of a service; a missing or misspelled one does not compile. */
export type Behaviours<S extends Service, World> = {
  readonly [K in keyof S["operations"]]: (call: Call<S["operations"][K]>, world: World) => Reply<S["operations"][K]>;
};
