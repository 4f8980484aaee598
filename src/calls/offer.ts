/** What a caller is offered of the catalogue, and the refusal of what is left out, by whatever way it would be called. */
import type { Purpose } from "../audit/index.js";
import { Failure } from "../language/failure.js";
import type { Tools } from "./workflow.js";

/** Why a tool is left out. */
export interface LeftOut {
  /** What leaves it out: a setting, or the address that the client connected to. */
  readonly by: string;
  /** How, as a sentence without its full stop. */
  readonly why: string;
}

/** What a client is offered: decided once, and carried by each of its calls, readings and subscriptions. */
export interface Offer {
  /** The tools that can be called. */
  readonly tools: Tools;
  /** Why a tool of the catalogue is left out; undefined when it is not. */
  leftOut(tool: string): LeftOut | undefined;
}

/**
 * The refusal of a tool that is left out; undefined when it is not.
 * @param through The tool that would call it.
 */
export function refusalOf(offer: Offer | undefined, tool: string, through?: string): Failure | undefined {
  const left = offer?.leftOut(tool);
  if (left === undefined) return undefined;
  const end = through === undefined || through === tool ? "it cannot be called" : `${through} cannot call it`;
  return new Failure("not_allowed", `${tool} is left out here by ${left.by}, so ${end}.`, {
    why: `${left.why}. Nothing was sent.`,
    next: "Do not try again: use a tool that is offered, or ask the user to connect to a server or an address that offers this one.",
  });
}

/**
 * Purposes for which what is left out is read all the same: without the state a guard would be blind, and a check that
 * could be switched off by leaving a tool out would be none. What they read reaches nobody as an answer.
 */
const unoffered: readonly (Purpose | undefined)[] = ["state", "check", "account"];

/** Whether a call for a purpose is made although its tool is left out. */
export const isMadeAnyway = (purpose: Purpose | undefined, isRead: boolean): boolean =>
  isRead && unoffered.includes(purpose);
