/** Calls that need an approval, for each mechanism of the catalogue, with arguments and others that do something else. */
import { isChange } from "../../src/calls/workflow.js";
import type { Arguments } from "../../src/language/conduct.js";
import type { AnyOperation } from "../../src/language/define.js";
import { guardOf } from "../../src/language/effect.js";
import { memberAt, withMember } from "../../src/language/member.js";
import { batchTool, restoreTool } from "../../src/language/server-tools.js";
import { resolvedExample } from "../../src/pages/example.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { madeOf, othersOf, scalarsIn } from "../catalogue/preview-law.js";
import { inDepth, runs } from "../lab/depth.js";
import { mechanismsOf, sampled } from "../lab/mechanisms.js";
import { catalogueOfProject, servicesOfProject } from "../lab/project.js";

const services = await servicesOfProject();
const workflows = await allWorkflows();

/** Every tool. */
export const tools = await catalogueOfProject();

/** Makes a call with the user's honest approval, and returns the plan that was redeemed. */
type Honestly = (tool: string, args: Arguments) => Promise<string>;

/** A call that needs an approval. */
export interface Target {
  readonly name: string;
  readonly tool: string;
  /** The mechanisms that its approval depends on. */
  readonly mechanisms: readonly string[];
  /** Honestly creates what the call needs, and returns its arguments. */
  readonly prepare: (honestly: Honestly) => Promise<Arguments>;
  /** Other arguments, each of which does something else; as many as are easily found. */
  readonly alter: (args: Arguments) => Promise<readonly Arguments[]>;
  /** Whether it undoes a plan of the caller, whose change may have no undo. */
  readonly isUndo?: boolean;
  /** Whether other arguments may name something that does not exist, and are refused for that alone. */
  readonly mayFindNothing?: boolean;
}

const exampleOf = (example: Arguments): Arguments => resolvedExample(example, Date.now());

/** Every operation that needs an approval. */
const guarded: readonly (readonly [string, AnyOperation])[] = services
  .flatMap((service) => Object.entries<AnyOperation>(service.operations))
  .filter(([, { spec }]) => guardOf({ spec }) !== undefined);

/** The mechanisms that an approval depends on: why it is needed, what is read for it, and what is sent after it. */
const ofApprovals =
  /^(guard|method|request|shown|sendsTo|secret|lock|awaits$|order$|overrides|checks|safeguards|resolves)/;

const approvalOf = (operation: AnyOperation): readonly string[] =>
  mechanismsOf(operation).filter((word) => ofApprovals.test(word));

/** The mechanisms of a guard. */
export const guardsIn = (mechanisms: Iterable<string>): readonly string[] =>
  [...mechanisms].filter((word) => word.startsWith("guard"));

// Operations with the same mechanisms are treated alike, by themselves, in a batch and in an undo.
const representative = sampled(guarded, ([, operation]) => approvalOf(operation));

/** All mechanisms of approvals. */
export const mechanismsOfApprovals: ReadonlySet<string> = new Set(
  guarded.flatMap(([, operation]) => approvalOf(operation)),
);

const maxAltered = runs(2);

/** Arguments of an operation that differ in one scalar and make another request. */
async function alteredOf(operation: AnyOperation, args: Arguments): Promise<Arguments[]> {
  // That a request is another one with any scalar is a law of all operations, in `test/catalogue/guards.test.ts`.
  const original = (await madeOf(operation, args))?.hash;
  const altered: Arguments[] = [];
  // The first scalar is mostly the id of an object, and there may be none with another id.
  for (const path of scalarsIn(args).reverse()) {
    if (altered.length === maxAltered) break;
    for (const value of othersOf(operation, path, memberAt(args, path), 1)) {
      const other = withMember(args, path, value) as Arguments;
      const made = await madeOf(operation, other);
      if (!made || made.hash === original) continue;
      altered.push(other);
      break;
    }
  }
  return altered;
}

/** A scalar that differs from the value. */
const otherThan = (value: unknown): unknown =>
  typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : `${value}1`;

const alteredAnyhow = async (args: Arguments): Promise<Arguments[]> =>
  scalarsIn(args).map((path) => withMember(args, path, otherThan(memberAt(args, path))) as Arguments);

/** Other valid arguments of operations for which another scalar names something that does not exist. */
const valid: Readonly<Record<string, readonly Arguments[]>> = {
  user_group_move: [{ body: { sourceGroupId: 33_333, destinationGroupId: 55_555 } }],
  user_profile_password_update: [{ currentPasswordFile: "current-password-1", newPasswordFile: "current-password-1" }],
  user_profile_tfa_set: [{ action: "enable" }],
};

const operations = representative.map(
  ([tool, operation]): Target => ({
    name: tool,
    tool,
    mechanisms: approvalOf(operation),
    prepare: async () => exampleOf(operation.spec.example),
    alter: async (args) => [...(valid[tool] ?? []), ...(await alteredOf(operation, args))],
  }),
);

// In a batch and in an undo, an approval depends on the guard alone.
const ofEachGuard = inDepth(
  representative,
  sampled(representative, ([, operation]) => guardsIn(approvalOf(operation))),
);

/** Two calls of an operation in a batch. */
const batches = ofEachGuard.map(
  ([tool, operation]): Target => ({
    name: `${batchTool} of ${tool}`,
    tool: batchTool,
    mechanisms: approvalOf(operation),
    async prepare() {
      const example = exampleOf(operation.spec.example);
      return { tool, arguments: [example, example] };
    },
    async alter(args) {
      const [first = {}] = args["arguments"] as readonly Arguments[];
      const others = (await alteredOf(operation, first)).slice(0, 3);
      return [
        { tool, arguments: [first] },
        { tool, arguments: [first, first, first] },
        ...others.map((other) => ({ tool, arguments: [first, other] })),
      ];
    },
  }),
);

/** The undo of an operation, after it was made. */
const restorations = ofEachGuard.map(
  ([tool, operation]): Target => ({
    name: `${restoreTool} of ${tool}`,
    tool: restoreTool,
    mechanisms: approvalOf(operation),
    prepare: async (honestly) => ({ plan: await honestly(tool, exampleOf(operation.spec.example)) }),
    alter: alteredAnyhow,
    isUndo: true,
    mayFindNothing: true,
  }),
);

const own: readonly string[] = [batchTool, restoreTool];
const composed = workflows.flatMap(([tool, declared]): Target[] =>
  isChange(declared) && !own.includes(tool)
    ? [
        {
          name: tool,
          tool,
          mechanisms: ["composed"],
          prepare: async () => exampleOf(declared.example),
          alter: alteredAnyhow,
          mayFindNothing: true,
        },
      ]
    : [],
);

export const targets: readonly Target[] = [...operations, ...composed, ...batches, ...restorations];

/** Every tool with arguments that it takes. */
export const examples: readonly (readonly [string, Arguments])[] = [
  ...services.flatMap((service) =>
    Object.entries<AnyOperation>(service.operations).map(
      ([tool, { spec }]) => [tool, exampleOf(spec.example)] as const,
    ),
  ),
  ...workflows.map(([tool, { example }]) => [tool, exampleOf(example)] as const),
];

const byName = new Map(services.flatMap((service) => Object.entries<AnyOperation>(service.operations)));
/** Examples that cover every mechanism of any tool, and all workflows; in depth, all examples. */
export const fewExamples = inDepth(
  examples,
  sampled(examples, ([tool]) => {
    const operation = byName.get(tool);
    return operation ? mechanismsOf(operation) : [tool];
  }),
);
