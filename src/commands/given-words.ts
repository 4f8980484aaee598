/** The settings that were given on this line, as words of another one. */
import { resolve } from "node:path";
import { type Config, type SettingName, settings } from "../config.js";

/** They matter to a server that listens and to no other. */
export const ofHttp: readonly SettingName[] = [
  "host",
  "port",
  "token-file",
  "allow-writes",
  "approver-token-file",
  "allowed-hosts",
];
/** What reads the words may run in another directory, so these are made absolute. */
const paths: readonly SettingName[] = [
  "edgerc",
  "config",
  "state-dir",
  "secret-dir",
  "policy",
  "token-file",
  "approver-token-file",
];

/** The settings that were given, each as the words of a command line; none for a flag that is turned off. */
export function givenSettings(
  { values, given }: Config,
  isLeftOut: (name: SettingName) => boolean,
): ReadonlyMap<SettingName, readonly string[]> {
  const wordsOf = (name: SettingName): readonly string[] => {
    const value = values[name];
    if (settings[name].kind === "flag") return value === true ? [`--${name}`] : [];
    const isPath = paths.includes(name) && !(name === "state-dir" && value === "memory");
    return [`--${name}`, isPath ? resolve(String(value)) : String(value)];
  };
  return new Map([...given.keys()].filter((name) => !isLeftOut(name)).map((name) => [name, wordsOf(name)]));
}

/** The same as one line of words. */
export const givenWords = (config: Config, isLeftOut: (name: SettingName) => boolean): string[] =>
  [...givenSettings(config, isLeftOut).values()].flat();
