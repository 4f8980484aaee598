/** The template of activations: a version becomes the active one on a network, or is taken off it. */
import type { ApprovedChange, Arguments, DifferenceLine, Guard, ManualUndo } from "./conduct.js";
import { activationDifference, headLine, limitLines } from "./difference-lines.js";
import type { ActivationScope } from "./forecast.js";
import { type GuardParameters, statement } from "./guards.js";
import { calling, callingOneOf, naming, type Sentence } from "./sentence.js";
import { type Clause, listInWords } from "./words.js";

type ActivationVersion = string | number;

/** An activation, as data. */
export interface Activation {
  /** What the versions are of, with its names: `policy sale (12)`. */
  readonly of: string;
  readonly to: ActivationVersion;
  /** The versions that are active on the network; undefined if they could not be read. */
  readonly from: readonly ActivationVersion[] | undefined;
  /** Where they are, in words, if they differ by who uses the object. */
  readonly places?: string;
  /** The network's name in messages. */
  readonly network: string;
  /** Whether it takes the version off the network. */
  readonly isEnd?: boolean;
  /** Whether it is a dry run. */
  readonly isTrial?: boolean;
  /** Words that lead the verb, on what the call skips. */
  readonly lead?: string;
  /** Who uses the object there; undefined if that could not be read, absent if the API does not show it. */
  readonly affected?: readonly string[] | undefined;
  /** What comes of it there, as clauses. */
  readonly results?: readonly Clause[];
  /** What the version holds, such as `rules`. */
  readonly content: string;
  /** How the content differs from that of an active version, or from none; undefined if it could not be read. */
  readonly difference: (from: ActivationVersion | undefined) => readonly DifferenceLine[] | undefined;
  /** Set if the version does not exist. */
  readonly isMissing?: boolean;
  /** How the version stands on staging, where it is not known to have been tried: `is not active on`. */
  readonly untried?: Clause;
  readonly warnings?: readonly Clause[];
}

/**
 * What an activation reaches on the site, for its forecast.
 * @param network The network as the API writes it, in any case.
 * @param version The version that becomes active; undefined if none does, or if it is the newest one.
 */
export const activationScope = (
  of: ActivationScope["of"],
  id: unknown,
  network: unknown,
  version: unknown,
  more: Partial<Pick<ActivationScope, "isEnd" | "within">> = {},
): ActivationScope => ({
  change: "activation",
  of,
  id: String(id),
  network: /^production$/i.test(String(network)) ? "production" : "staging",
  isEnd: false,
  ...(typeof version === "number" && { version }),
  ...more,
});

/** The calls that undo an activation. */
export interface VersionReturn {
  readonly tool: string;
  /** The arguments that activate a version, or take it off the network. */
  readonly args: (given: Arguments, version: ActivationVersion, isEnd: boolean) => Arguments;
  /** The tool that names the version that was active before. */
  readonly list: string;
  /** What to do if none was; absent if a version can be taken off a network. */
  readonly instead?: string;
  /** When the network takes the next call: `once this operation has ended`. */
  readonly when?: (isEnd: boolean) => string;
  /** Sentences that lead, and those that follow. */
  readonly first?: string;
  readonly last?: (given: Arguments, related: Arguments) => string;
}

const isActive = ({ from, to }: Activation): boolean => from?.some((one) => String(one) === String(to)) === true;
/** The active versions that the new one replaces. */
const replaced = ({ from = [], to }: Activation): readonly ActivationVersion[] =>
  from.filter((one) => String(one) !== String(to));

/** Where the network stands now, as a clause. */
function standing(activation: Activation): string {
  const { from, isEnd = false } = activation;
  const former = replaced(activation).join(" and ");
  if (from === undefined) return "the active version there could not be read";
  if (from.length === 0) return `no version is active there${isEnd ? "" : " now"}`;
  if (isEnd) return `version ${from.join(" and ")} stays active`;
  return former === "" ? "it is already active there" : `it replaces version ${former}`;
}

function statementOf(activation: Activation) {
  const { of, to, from, network, isEnd = false, affected, results = [] } = activation;
  const lead = activation.isTrial ? "DRY RUN, which changes nothing: " : (activation.lead ?? "");
  const users = affected === undefined ? "unknown properties" : listInWords(affected) || "no property";
  const what = `version ${to} of ${of} on ${network}${"affected" in activation ? ` for ${users}` : ""}`;
  if (!isEnd) return statement(`${lead}ACTIVATE`, what, standing(activation), ...results);
  const isVain = from !== undefined && !isActive(activation);
  return statement(`${lead}DEACTIVATE`, what, ...(isVain ? ["it is not active there", standing(activation)] : results));
}

/** The lines of the difference between the version and each that it replaces. */
function linesOf(activation: Activation): readonly DifferenceLine[] {
  const { to, from, network: where, isEnd = false, content, difference } = activation;
  const none = `It has no ${content}.`;
  if (from === undefined) return [];
  if (isEnd)
    return isActive(activation)
      ? [
          headLine(`What stops on ${where}:`),
          ...limitLines(difference(to) ?? [headLine(`Its ${content} could not be read.`)], none),
        ]
      : [];
  const former = replaced(activation);
  if (former.length === 0)
    return activationDifference(
      { from: isActive(activation) ? to : undefined, to, where },
      difference(undefined),
      none,
    );
  return former.flatMap((one) =>
    activationDifference({ from: one, to, where }, difference(one), `The ${content} are the same.`),
  );
}

function warningsOf(activation: Activation): readonly Clause[] {
  const { to, network, isEnd = false, isMissing = false, untried, warnings = [] } = activation;
  const newer = replaced(activation).find((one) => Number(one) > Number(to));
  return [
    isMissing && `There is no version ${to}: the API will refuse the call.`,
    ...(isEnd
      ? []
      : [
          network === "PRODUCTION" && untried && `This version ${untried} STAGING, where it could be tested first.`,
          newer !== undefined && `Version ${newer}, which is active there, is newer: this is a rollback.`,
        ]),
    ...warnings,
  ];
}

/** How an activation is undone: in words, and by activating one of these versions, or by taking the version off. */
interface VersionUndo {
  readonly words: string;
  readonly versions?: readonly ActivationVersion[];
  readonly isEnd?: boolean;
}

function versionUndoOf(activation: Activation, { tool, list, instead }: VersionReturn): VersionUndo {
  const { to, from, places, isEnd = false } = activation;
  if (activation.isTrial) return { words: "A dry run changes nothing, so there is nothing to undo." };
  if (from === undefined && !isEnd)
    return {
      words: `The version that was active before could not be read: ${list} names it, and ${tool} returns to it.`,
    };
  if (isEnd && (from === undefined || isActive(activation)))
    return { words: `Activate version ${to} again`, versions: [to] };
  if (isEnd) return { words: `Version ${to} was not active there.` };
  const former = replaced(activation);
  if (former.length === 1) return { words: `Return to version ${former}`, versions: former };
  if (former.length > 1) {
    const were = `Several versions were active there (${places ?? former.join(", ")})`;
    return { words: `${were}, and an activation is for all that use it. Choose one of them`, versions: former };
  }
  if (former.length === 0 && isActive(activation))
    return { words: `Version ${to} was active there before, so nothing was replaced.` };
  const none = "No version was active there before";
  if (instead !== undefined) return { words: `${none}, and none can be taken off a network. ${instead}` };
  return { words: `${none}. Deactivate this one`, versions: [to], isEnd: true };
}

/** The sentences that undo an activation, with the call that returns to the version that was active before. */
function activationUndo(
  activation: Activation,
  back: VersionReturn,
  { given, related }: ApprovedChange,
): Sentence | ManualUndo {
  const { words, versions = [], isEnd = false } = versionUndoOf(activation, back);
  const { tool, args, first = "", last, when } = back;
  const end = last?.(given, related) ?? "";
  const calls = versions.map((version) => ({ tool, arguments: args(given, version, isEnd) }));
  const [call] = calls;
  if (call === undefined) return `${first}${words}${end}`;
  if (calls.length > 1) return naming`${first}${words}, and ${callingOneOf(calls)}.${end}`;
  const then = when === undefined ? "" : `, ${when(activation.isEnd === true)}`;
  return { says: naming`${first}${words}${then}: ${calling(call)}.${end}`, call };
}

type ActivationMember = "kind" | "thing" | "network" | "says" | "compares" | "warns";

/**
 * The guard of an activation, whose preview is made of what it is as data.
 * @param thing The noun for what is activated.
 * @param network The argument that names the network.
 * @param back The calls that undo it, unless the service undoes it in another way.
 */
export const activates = (
  thing: string,
  network: string,
  activationOf: (...seen: GuardParameters) => Activation,
  back?: VersionReturn,
): Required<Pick<Guard, ActivationMember>> & Pick<Guard, "undo"> => ({
  kind: "activate",
  thing,
  network,
  says: (...seen) => statementOf(activationOf(...seen)),
  compares: (...seen) => linesOf(activationOf(...seen)),
  warns: (...seen) => warningsOf(activationOf(...seen)),
  ...(back && {
    undo: { by: (past) => activationUndo(activationOf(past.given, past.before, past.related), back, past) },
  }),
});
