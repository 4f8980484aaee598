/** What the protocol's handlers stand on: the catalogue as the build left it, and the engine that the first call makes. */
import type { Presentation } from "../answers/result.js";
import type { Calls } from "../calls/index.js";
import type { Catalogue, Readings } from "./catalogue.js";

/** Whole answers of which only a part was shown, of the account that calls act on. */
interface KeptResults {
  /** Keeps an answer for an owner; undefined when it has no room. */
  keep(owner: string, whole: unknown): string | undefined;
  /** What is kept under a handle; undefined for another owner, and when it is too old or gone. */
  get(owner: string, handle: string): unknown;
}

/** Made once a process, on the first call that needs it. */
export interface Engine {
  readonly calls: Calls;
  readonly presentation: Presentation;
  readonly results: KeptResults;
  /** The account and the upstream that calls act on, in words that a person recognises. */
  readonly account: string;
  /** Lets go of connections, so that a process that has done its work can end. */
  close(): Promise<void>;
}

export interface Surface {
  readonly catalogue: Catalogue;
  readonly readings: Readings;
  readonly version: string;
  /** Says when every call goes to the emulator. */
  readonly isEmulated: boolean;
  readonly isReadOnly: boolean;
  engine(): Promise<Engine>;
}
