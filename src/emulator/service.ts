/** The registration of an emulated service: its declarations, a behaviour for each of them, its wording and its limit. */
import type { Behaviours } from "../api/behaviour.js";
import type { Service } from "../api/service.js";
import { usualWording, type Wording } from "./problem.js";
import type { World } from "./world.js";

/** A registered service, for code that serves all of them. */
export interface EmulatedService {
  readonly service: Service;
  readonly behaviours: Readonly<Record<string, unknown>>;
  readonly wording: Wording;
  /** How many requests a client has in a minute; without it there is no limit. */
  readonly requestsPerMinute?: number;
}

/** A registered service with the types of its declarations. */
export interface Emulated<S extends Service> extends Omit<EmulatedService, "service" | "behaviours"> {
  readonly service: S;
  readonly behaviours: Behaviours<S, World>;
}

/** Registers what the emulator does for a service; the compiler refuses an operation without a behaviour. */
export const emulated = <S extends Service>(
  service: S,
  {
    wording = usualWording,
    ...rest
  }: {
    readonly behaviours: Behaviours<NoInfer<S>, World>;
    readonly wording?: Wording;
    readonly requestsPerMinute?: number;
  },
): Emulated<S> => ({ service, wording, ...rest });
