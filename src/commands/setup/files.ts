/** Finds the file of a client on a platform. */
import { posix, win32 } from "node:path";
import type { Place, Platform } from "./clients.js";

/** What the paths of a platform depend on. */
export interface Surroundings {
  readonly platform: Platform;
  readonly home: string;
  /** The directory in which the command runs. */
  readonly project: string;
  /** The variables that say where other programs keep their files. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The platform whose paths count; all that are neither macOS nor Windows keep their files as Linux does. */
export const platformOf = (name: NodeJS.Platform): Platform => (name === "darwin" || name === "win32" ? name : "linux");

/** @returns The absolute path of a place. */
export function pathOf([base, ...below]: Place, { platform, home, project, variables }: Surroundings): string {
  const path = platform === "win32" ? win32 : posix;
  // The XDG Base Directory specification has relative paths ignored; what is relative elsewhere would depend on the caller.
  const variable = (name: string, usual: string): string => {
    const value = variables[name];
    return value !== undefined && path.isAbsolute(value) ? value : usual;
  };
  const bases: Readonly<Record<Place[0], string>> = {
    home,
    project,
    config: variable("XDG_CONFIG_HOME", path.join(home, ".config")),
    appData: variable("APPDATA", path.join(home, "AppData", "Roaming")),
    codex: variable("CODEX_HOME", path.join(home, ".codex")),
  };
  return path.join(bases[base], ...below);
}
