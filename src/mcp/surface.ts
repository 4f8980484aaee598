/** What the protocol's handlers use: the catalogue from the build, and the engine that the first call creates. */
import type { Presentation } from "../answers/result.js";
import type { Kept, Told } from "../answers/store.js";
import type { Calls } from "../calls/index.js";
import type { OperatorPlans, PlanRecord } from "../guard/index.js";
import type { Catalogue, Readings } from "./catalogue.js";
import type { MenuChoice } from "./menu.js";

/** Answers that were shown only in part, for the account that calls act on. */
interface KeptResults {
  /** Keeps an answer for an owner; undefined when it has no room. */
  keep(owner: string, whole: unknown, told?: Told): string | undefined;
  /** What is kept under a handle; undefined for another owner, or when it has expired or was evicted. */
  get(owner: string, handle: string): Kept | undefined;
}

/** What the calls of one profile go through. */
export interface InProfile {
  readonly calls: Calls;
  readonly presentation: Presentation;
  readonly results: KeptResults;
  /** A plan that was made here for an owner, and what became of it. */
  plan(owner: string, id: string): Promise<PlanRecord | undefined>;
  /** The account and the upstream that calls act on, as the user knows them. */
  readonly account: string;
}

/**
 * Made once a process, on the first call that needs it. What it has itself is the account of the settings; where profiles
 * are configured, it is for calls that name none of them, each of which is refused and recorded.
 */
export interface Engine extends InProfile {
  /** For the operator's page; what a client reads of a plan goes by `InProfile`. */
  readonly plans: OperatorPlans;
  /**
   * What the calls of a profile go through.
   * @param profile Its name where there are several; undefined for the one, and for a call that is refused.
   * @throws Failure when the profile's credential cannot be read.
   */
  within(profile: string | undefined): Promise<InProfile>;
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
