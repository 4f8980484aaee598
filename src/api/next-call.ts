/** A call that a result offers as the next one, kept apart from data of the same shape until it is written for its client. */

import { isRecord } from "./member.js";

/** A call as a client can send it. */
export interface WholeCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A next call with all that it needs. A result shows it whole or leaves it out. */
export class NextCall implements WholeCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;

  constructor(tool: string, args: Readonly<Record<string, unknown>>) {
    this.tool = tool;
    this.arguments = args;
  }
}

/** A call in a sentence. */
export const callInWords = ({ tool, arguments: args }: WholeCall): string => `${tool} with ${JSON.stringify(args)}`;

/** What has calls to offer. */
export interface Offering {
  /** The calls that may come next, each by what it is for. */
  readonly offers?: Readonly<Record<string, NextCall | readonly NextCall[]>>;
}

/** Writes a call as a client sends it; undefined where that client cannot make it. */
export type WriteCall = (call: WholeCall) => WholeCall | undefined;

/** What stands for a call that is left out; it is no value of a result. */
const leftOut = Symbol();

function written(value: unknown, write: WriteCall): unknown {
  if (value instanceof NextCall) {
    const call = write(value);
    return call === undefined ? leftOut : new NextCall(call.tool, call.arguments);
  }
  if (Array.isArray(value)) return value.map((item) => written(item, write)).filter((item) => item !== leftOut);
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).map(([name, member]) => [name, written(member, write)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== leftOut));
}

/** A result with its next calls as a client sends them, and without those that it cannot make. */
export const withCallsWritten = <T extends Readonly<Record<string, unknown>>>(result: T, write: WriteCall): T =>
  written(result, write) as T;
