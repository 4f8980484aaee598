/** `edgewise`: serves one client over stdin and stdout. */
import { answerFirstList } from "../mcp/first-list.js";
import { type Command, log } from "./command.js";
import { createSurface } from "./surface.js";

export const stdio: Command = async (config) => {
  const surface = await createSurface(config);
  log(surface.notice);
  if (!surface.isReadOnly) await answerFirstList();
  const { serveOverStdio } = await import("../mcp/stdio.js");
  serveOverStdio(surface, log, surface.close);
  return 0;
};
