/** The state that a command shares with running servers. */
import { userInfo } from "node:os";
import { type OperatorCommand, openAudit } from "../audit/index.js";
import type { Config } from "../config.js";
import { openState } from "../engine/state.js";
import type { State } from "../state/index.js";
import { log, refuse } from "./command.js";

/**
 * Opens the state of running servers; the process ends without closing it, because it only ever reads or writes whole
 * records.
 * @throws Failure `bad_configuration` if the servers keep their state in memory, where no other process can see it.
 */
export async function sharedState(config: Config): Promise<State> {
  const state = await openState(config, log);
  return state.isShared
    ? state
    : refuse(
        "The servers keep their state in memory, where no other process can see it.",
        "Start the server and this command with the same --state-dir or --store.",
      );
}

/** Records a command of an operator in the audit log, next to the calls that it concerns. */
export async function recordCommand(state: State, { event, ...about }: Omit<OperatorCommand, "who">): Promise<void> {
  const audit = openAudit({ open: state.openJournal, place: state.auditPlace, log, secrets: [] });
  await audit.command({ event, who: userInfo().username, ...about });
  await audit.close();
}
