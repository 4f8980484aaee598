/** The state that a command shares with running servers. */
import type { Config } from "../config.js";
import { openState } from "../engine/state.js";
import type { State } from "../state/index.js";
import { log } from "./command.js";

/** Opens the configured state; the process ends without closing it, because it only ever reads or writes whole records. */
export const sharedState = (config: Config): Promise<State> => openState(config, log);
