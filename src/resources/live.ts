/** What moves without a call, as a resource: `live://TOOL?argument=value`, read by the operation that shows where it stands. */
import { argumentsSchema } from "../arguments/index.js";
import type { Answered, Arguments, Awaits } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { withMember } from "../language/member.js";
import { operation } from "../tools/index.js";

/** Something that moves, as its address names it. */
export interface Live {
  /** The same for all addresses of it. */
  readonly key: string;
  /** The operation that reads where it stands, and its arguments. */
  readonly tool: string;
  readonly args: Arguments;
  /** A text that is another one whenever it has moved. */
  readonly state: (answer: Answered) => string;
  /** Whether it will not move any more. */
  readonly isOver: (answer: Answered) => boolean;
  /** How long the API asks to wait before the next look, in seconds. */
  readonly pauseSeconds: (answer: Answered) => number | undefined;
}

type Tools = ReadonlyMap<string, { readonly service: string }>;

// An address is a few names and ids; a longer one is none of ours.
const maxAddress = 2_000;
const grammar = /^live:\/\/([a-z0-9_]+)\?([\w.\-~%=&+@]+)$/;

const operationOf = async (tool: string, tools: Tools): Promise<AnyOperation | undefined> => {
  const entry = tools.get(tool);
  return entry && operation(entry.service, tool);
};

/** The arguments as they stand in an address, each name once; undefined where a name stands twice. */
function valuesIn(query: string): ReadonlyMap<string, string> | undefined {
  const entries = [...new URLSearchParams(query)];
  const values = new Map(entries);
  return values.size === entries.length ? values : undefined;
}

/** A value as the functions of a declaration compare it: a numeral is the number that a caller would have given. */
const given = (text: string): unknown => (/^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text);

/** A launch that is followed by the operation that its declaration names. */
function launched(awaits: Awaits, values: ReadonlyMap<string, string>, status: AnyOperation): Omit<Live, "key"> {
  const known = Object.keys(argumentsSchema(status).shape);
  const launch = (awaits.reads ?? []).reduce<unknown>(
    (args, path) => {
      const value = values.get(path);
      return value === undefined ? args : withMember(args, path.split("."), given(value));
    },
    { body: {} },
  ) as Arguments;
  return {
    tool: awaits.status,
    args: Object.fromEntries([...values].filter(([name]) => known.includes(name))),
    state: (answer) => awaits.state(answer, launch),
    isOver: (answer) => awaits.isReady(answer, launch) || awaits.failure?.(answer, launch) !== undefined,
    pauseSeconds: (answer) => awaits.pauseSeconds?.(answer),
  };
}

/**
 * What an address names.
 * @param tools The tools that can be called here, by name.
 * @returns undefined for an address of another form, for a tool that is not there, and for one that starts nothing and
 * shows nothing that moves.
 */
export async function liveAt(uri: string, tools: Tools): Promise<Live | undefined> {
  const [, tool = "", query = ""] = (uri.length <= maxAddress && grammar.exec(uri)) || [];
  const values = valuesIn(query);
  const declared = await operationOf(tool, tools);
  if (!values || !declared) return undefined;
  const { awaits } = declared.spec;
  if (awaits === undefined) return undefined;
  const key = JSON.stringify([tool, ...[...values].sort()]);
  if (awaits.status !== undefined) {
    const status = await operationOf(awaits.status, tools);
    return status && { key, ...launched(awaits, values, status) };
  }
  const args = Object.fromEntries(values);
  return {
    ...{ key, tool, args, pauseSeconds: () => undefined },
    state: (answer) => awaits.state(answer, args),
    isOver: (answer) => awaits.isReady(answer, args),
  };
}
