/** `edgewise`: serves one client over stdin and stdout. */
import { serveOverStdio } from "../mcp/stdio.js";
import { type Command, log } from "./command.js";
import { createSurface } from "./surface.js";

export const stdio: Command = async (config) => {
  const surface = await createSurface(config);
  log(surface.notice);
  serveOverStdio(surface, log);
  return 0;
};
