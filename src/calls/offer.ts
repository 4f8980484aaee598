/** The tools that a caller is offered, and the refusal of the others, however they are called. */
import type { CallPurpose } from "../audit/index.js";
import { Failure } from "../language/failure.js";
import type { Tools } from "./workflow.js";

/** Why a tool is left out. */
export interface ToolExclusion {
  /** The cause: a setting, or the URL of the connection. */
  readonly by: string;
  /** The reason, as a sentence without its full stop. */
  readonly why: string;
  /** What to do next, if not to use another server or URL. */
  readonly next?: string;
}

/**
 * The tools that a client is offered, which are determined once and apply to all of its calls, readings and
 * subscriptions.
 */
export interface ToolOffer {
  /** The tools that can be called. */
  readonly tools: Tools;
  /** Why a tool is left out; undefined if it is offered. */
  leftOut(tool: string): ToolExclusion | undefined;
}

/**
 * The refusal of a tool that is left out; undefined if it is offered.
 * @param through The tool that would call it.
 */
export function refusalOfTool(offer: ToolOffer | undefined, tool: string, through?: string): Failure | undefined {
  const exclusion = offer?.leftOut(tool);
  if (exclusion === undefined) return undefined;
  const end = through === undefined || through === tool ? "it cannot be called" : `${through} cannot call it`;
  return new Failure("not_allowed", `${tool} is left out here by ${exclusion.by}, so ${end}.`, {
    why: `${exclusion.why}. Nothing was sent.`,
    next:
      exclusion.next ??
      "Do not try again: use a tool that is offered, or ask the user to connect to a server or URL that offers this one.",
  });
}

/**
 * Purposes for which excluded tools are read anyway: without the state a guard would be blind, and checks must not be
 * disabled by excluding a tool. The responses are never shown.
 */
const exemptPurposes: readonly (CallPurpose | undefined)[] = ["state", "check", "account"];

/** Whether a call is made for its purpose although its tool is left out. */
export const canCallExcluded = (purpose: CallPurpose | undefined, isRead: boolean): boolean =>
  isRead && exemptPurposes.includes(purpose);
