/** The calls that a result offers as next steps, distinguishable from data of the same shape until they are rendered. */
import { isRecord, omitted, withEach } from "./member.js";

/** A call as a client can send it. */
export interface WholeCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A complete next call. A result shows it whole or not at all. */
export class NextCall implements WholeCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;

  constructor(tool: string, args: Readonly<Record<string, unknown>>) {
    this.tool = tool;
    this.arguments = args;
  }
}

/** Something that offers calls. */
export interface CallOffers {
  /** The offered calls, keyed by their purpose. */
  readonly offers?: Readonly<Record<string, NextCall | readonly NextCall[]>>;
}

/** Renders a call as a client sends it; undefined if that client cannot make it. */
export type WriteCall = (call: WholeCall) => WholeCall | undefined;

function writeCalls(value: unknown, write: WriteCall): unknown {
  if (value instanceof NextCall) {
    const call = write(value);
    return call === undefined ? omitted : new NextCall(call.tool, call.arguments);
  }
  const isData = Array.isArray(value) || (isRecord(value) && Object.getPrototypeOf(value) === Object.prototype);
  return isData ? withEach(value, (member) => writeCalls(member, write)) : value;
}

/** A result with its next calls as a client sends them, without those that it cannot make. */
export const withCallsWritten = <T extends Readonly<Record<string, unknown>>>(result: T, write: WriteCall): T =>
  writeCalls(result, write) as T;
