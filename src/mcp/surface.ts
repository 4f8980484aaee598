/** What the protocol's handlers use: the catalogue from the build, and the engine that the first call creates. */
import type { Presentation } from "../answers/result.js";
import type { Kept, Told } from "../answers/store.js";
import type { Calls } from "../calls/index.js";
import type { Plans } from "../guard/index.js";
import type { Catalogue, Readings } from "./catalogue.js";
import type { MenuChoice } from "./menu.js";

/** Answers that were shown only in part, for the account that calls act on. */
interface KeptResults {
  /** Keeps an answer for an owner; undefined when it has no room. */
  keep(owner: string, whole: unknown, told?: Told): string | undefined;
  /** What is kept under a handle; undefined for another owner, or when it has expired or was evicted. */
  get(owner: string, handle: string): Kept | undefined;
}

/** Made once a process, on the first call that needs it. */
export interface Engine {
  readonly calls: Calls;
  readonly presentation: Presentation;
  readonly results: KeptResults;
  readonly plans: Plans;
  /** The account and the upstream that calls act on, as the user knows them. */
  readonly account: string;
  /** Closes connections, so that the process can exit. */
  close(): Promise<void>;
}

export interface Surface {
  readonly catalogue: Catalogue;
  readonly readings: Readings;
  readonly version: string;
  /** Says when every call goes to the emulator. */
  readonly isEmulated: boolean;
  readonly isReadOnly: boolean;
  /** What it offers of the catalogue; all of it where this is absent. */
  readonly choice?: MenuChoice;
  engine(): Promise<Engine>;
}
