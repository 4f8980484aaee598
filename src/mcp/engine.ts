/** What a call needs beside its declaration: the client, the plans, and how results present themselves. */
import type { Presentation } from "../answers/result.js";
import type { Client } from "../client/index.js";
import type { Plans } from "../guard/index.js";
import type { Catalogue } from "./catalogue.js";

/** Made once a process, on the first call that needs it. */
export interface Engine {
  readonly client: Client;
  readonly plans: Plans;
  readonly presentation: Presentation;
  /** The account and the upstream that calls act on, in words that a person recognises. */
  readonly account: string;
  /** For the result of a launch that is waited for, in milliseconds. */
  readonly waitMs: number;
  /** Lets go of connections, so that a process that has done its work can end. */
  close(): Promise<void>;
}

/** What the protocol's handlers stand on. */
export interface Surface {
  readonly catalogue: Catalogue;
  readonly version: string;
  /** Says when every call goes to the emulator. */
  readonly isEmulated: boolean;
  readonly isReadOnly: boolean;
  engine(): Promise<Engine>;
}
