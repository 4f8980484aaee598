/** `edgewise tokens`: denies tokens at once, in every server with this state, and accepts them again. */
import { userInfo } from "node:os";
import type { Config } from "../config.js";
import type { TokenGroup } from "../state/index.js";
import { type Command, flagValue, log, print, printJson, refuse } from "./command.js";
import { recordCommand, sharedState } from "./shared-state.js";
import { alignedLines } from "./terminal.js";

const kinds = ["subject", "client", "jti"] as const;

/** Whose tokens a line is about, which exactly one of its flags says. */
function groupIn(flags: readonly string[]): TokenGroup {
  const groups = kinds.flatMap((kind) => {
    const value = flagValue(flags, `--${kind}`);
    return value === undefined || value === "" ? [] : [{ kind, value }];
  });
  const [group] = groups;
  return group !== undefined && groups.length === 1
    ? group
    : refuse(
        "It has to be said whose tokens are meant.",
        "Write one of --subject NAME, --client ID and --jti ID; the audit log has subjects and clients.",
      );
}

const nameOf = ({ kind, value }: TokenGroup): string => `${kind} ${value}`;
const wordsFor = (group: TokenGroup): string => `tokens with the ${nameOf(group)}`;

/** The time of `--until` in milliseconds, which has to be in the future. */
function untilIn(flags: readonly string[]): number | undefined {
  const text = flagValue(flags, "--until");
  if (text === undefined) return undefined;
  const untilMs = /(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  return untilMs > Date.now()
    ? untilMs
    : refuse("--until takes a time in the future.", "Write it as 2026-05-01T12:00:00Z, or leave it out.");
}

async function deny(config: Config, flags: readonly string[]): Promise<number> {
  const group = groupIn(flags);
  const untilMs = untilIn(flags);
  const state = await sharedState(config);
  await state.denyTokens({ ...group, by: userInfo().username, untilMs });
  const until = untilMs === undefined ? undefined : new Date(untilMs).toISOString();
  await recordCommand(state, { event: "tokens_denied", tokens: nameOf(group), until });
  print(`Denied: ${wordsFor(group)} are refused within a second, until ${until ?? "edgewise tokens allow"}.`);
  return 0;
}

async function allow(config: Config, flags: readonly string[]): Promise<number> {
  const group = groupIn(flags);
  const state = await sharedState(config);
  if (!(await state.allowTokens(group))) {
    log(`edgewise: ${wordsFor(group)} are not denied`);
    return 1;
  }
  await recordCommand(state, { event: "tokens_allowed", tokens: nameOf(group) });
  print(`Allowed: ${wordsFor(group)} are accepted again.`);
  return 0;
}

async function list(config: Config, isJson: boolean): Promise<number> {
  const denied = await (await sharedState(config)).deniedTokens();
  const rows = denied.map(({ kind, value, by, atMs, untilMs }) => ({
    ...{ kind, value, by, at: new Date(atMs).toISOString() },
    ...(untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() }),
  }));
  if (isJson) printJson(rows);
  else if (rows.length === 0) log("edgewise: no tokens are denied");
  else
    alignedLines([
      ["KIND", "VALUE", "BY", "AT", "UNTIL"],
      ...rows.map(({ kind, value, by, at, until = "" }) => [kind, value, by, at, until]),
    ]).forEach(print);
  return 0;
}

export const tokensCommand: Command = async (config, [action], flags) => {
  if (action === "deny") return deny(config, flags);
  if (action === "allow") return allow(config, flags);
  return list(config, flags.includes("--json"));
};
