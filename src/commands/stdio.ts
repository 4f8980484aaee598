/** `edgewise`: serves one client over stdin and stdout. */
import { answerFirstList } from "../mcp/first-list.js";
import { isWhole } from "../mcp/menu.js";
import { type Command, log } from "./command.js";
import { createSurface } from "./surface.js";

export const stdio: Command = async (config) => {
  const surface = await createSurface(config);
  log(surface.notice);
  // The file of the build has every tool; a shorter list is made when it is asked for.
  if (!surface.isReadOnly && isWhole(surface.choice)) await answerFirstList();
  const { serveOverStdio } = await import("../mcp/stdio.js");
  serveOverStdio(surface, log, surface.close);
  return 0;
};
