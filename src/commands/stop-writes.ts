/** `edgewise stop-writes` and `edgewise resume-writes`: the emergency stop of all changes, for every server at once. */
import { userInfo } from "node:os";
import { type Command, flagValue, log, print, refuse } from "./command.js";
import { recordCommand, sharedState } from "./shared-state.js";

export const stopWritesCommand: Command = async (config, _, flags) => {
  const reason = flagValue(flags, "--reason")?.trim();
  if (reason === undefined || reason === "")
    refuse("stop-writes needs a reason.", "Write --reason 'WHY': every refused call shows it.");
  const state = await sharedState(config);
  if (!(await state.stopWrites({ reason, by: userInfo().username }))) {
    const stop = await state.writeStop();
    log(`edgewise: changes are already stopped${stop === undefined ? "" : `, by ${stop.by}: ${stop.reason}`}`);
    return 1;
  }
  await recordCommand(state, { event: "writes_stopped", reason });
  print("Stopped: no server with this state sends a change until edgewise resume-writes. Reads go on.");
  return 0;
};

export const resumeWritesCommand: Command = async (config) => {
  const state = await sharedState(config);
  if (!(await state.resumeWrites(userInfo().username))) {
    log("edgewise: changes are not stopped");
    return 1;
  }
  await recordCommand(state, { event: "writes_resumed" });
  print("Resumed: changes are sent again.");
  return 0;
};
