/** The registration of an emulated service: its declarations, their behaviours, its error format and its rate limit. */
import type { Service } from "../language/service.js";
import type { Behaviours } from "./behaviour.js";
import type { ErrorFormat } from "./reply.js";
import type { World } from "./world.js";

/** A registered service, for code that serves all of them. */
export interface EmulatedService {
  readonly service: Service;
  readonly behaviours: Readonly<Record<string, unknown>>;
  readonly errorFormat: ErrorFormat;
  /** Rate limit; unlimited if absent. */
  readonly requestsPerMinute?: number;
}

/** A registered service with the types of its declarations. */
export interface EmulatedServiceOf<S extends Service> extends Omit<EmulatedService, "service" | "behaviours"> {
  readonly service: S;
  readonly behaviours: Behaviours<S, World>;
}

/** What the emulator does for some of a service's operations. */
export type BehavioursOf<O extends Service["operations"]> = Behaviours<
  Omit<Service, "operations"> & { readonly operations: O },
  World
>;

/** Registers what the emulator does for a service; the compiler refuses an operation without a behaviour. */
export const emulateService = <S extends Service>(
  service: S,
  errorFormat: ErrorFormat,
  behaviours: Behaviours<NoInfer<S>, World>,
): EmulatedServiceOf<S> => ({ service, errorFormat, behaviours });
