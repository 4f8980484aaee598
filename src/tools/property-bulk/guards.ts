/** Previews of bulk jobs, which name every property, its version and its network, and hide none of them. */
import { activationScope } from "../../language/activation.js";
import { type ApprovedChange, type Arguments, type Guard, pickArguments } from "../../language/conduct.js";
import { headLine } from "../../language/difference-lines.js";
import { act, flag, statement } from "../../language/guards.js";
import { defined, listAt, memberAt } from "../../language/member.js";
import { calling, naming, type Sentence } from "../../language/sentence.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { JsonPatch, patchInWords } from "../../schema/json-patch.js";

const itemsAt = (args: Arguments, path: string): readonly Arguments[] => listAt(args, path) as readonly Arguments[];
const inWords = ({ propertyVersion, propertyId }: Arguments): string =>
  `version ${String(propertyVersion)} of ${plainOrQuoted(propertyId)}`;

const propertyOf = ({ propertyId }: Arguments): string => plainOrQuoted(propertyId);
/** What a job names twice: properties, or properties on one network. */
const twice = (items: readonly Arguments[], nameOf: (item: Arguments) => string): string[] => {
  const names = items.map(nameOf);
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].map(
    (name) => `${name} is named more than once.`,
  );
};

const many = (path: string) => (args: Arguments) => [
  `it changes ${itemsAt(args, path)
    .map(({ propertyId }) => plainOrQuoted(propertyId))
    .join(", ")} with one approval`,
];

const created = "body.createPropertyVersions";
/** Copies are live nowhere, so that they need an approval only where the policy asks for one. */
export const copiesGuard: Guard = {
  kind: "create",
  when: "asked",
  thing: "property versions",
  counts: created,
  undo: { by: "Leave the new versions unused, because the API cannot delete a single version." },
  says: (args) => {
    const copies = itemsAt(args, created).map((one) => inWords({ ...one, propertyVersion: one["createFromVersion"] }));
    return act`CREATE copies of ${listInWords(copies)}: they are live on no network until they are activated`;
  },
  warns: (args) => twice(itemsAt(args, created), propertyOf),
};

const patches = "body.patchPropertyVersions";
const removalsFirst = (a: JsonPatch[number], b: JsonPatch[number]): number =>
  Number(b.op === "remove") - Number(a.op === "remove");
/** The operations on a version, those that remove something first. */
const operationsIn = (item: Arguments): JsonPatch =>
  [...(JsonPatch.safeParse(item["patches"]).data ?? [])].sort(removalsFirst);

export const patchesGuard: Guard = {
  kind: "overwrite",
  thing: "rule trees",
  undo: {
    by: "The former rules are not kept: create new versions with bulk_version_create from those that were copied, and leave the patched ones unused.",
  },
  counts: patches,
  critical: [many(patches)],
  says: (args) => {
    const items = itemsAt(args, patches);
    const changes = [...new Set(items.flatMap(operationsIn).toSorted(removalsFirst).map(patchInWords))];
    return act`CHANGE the rules of ${listInWords(items, inWords)}, which are live on no network until they are activated: ${listInWords(changes)}`;
  },
  compares: (args) =>
    itemsAt(args, patches).flatMap((item) => [
      headLine(`${inWords(item)}:`),
      ...operationsIn(item).map((one) => headLine(`  ${patchInWords(one)}`)),
    ]),
  target: (args) => `${itemsAt(args, patches).length} rule trees`,
  warns: (args) => [
    ...twice(itemsAt(args, patches), propertyOf),
    ...itemsAt(args, patches)
      .filter(({ etag }) => etag === undefined)
      .map((item) => `${inWords(item)} has no etag here, so a change that someone else made would be overwritten.`),
  ],
};

const activated = "body.activatePropertyVersions";
const settings = "body.defaultActivationSettings";
const onNetwork = (item: Arguments): string => `${inWords(item)} on ${String(item["network"])}`;

/** The same request as a fallback, which the API takes for an hour. */
function fallback({ given }: ApprovedChange): Sentence {
  const body = memberAt(given, "body") as Arguments;
  const defaults = { ...(body["defaultActivationSettings"] as Arguments | undefined), useFastFallback: true };
  const of = defined(pickArguments("contractId", "groupId")(given));
  const args = { ...of, body: { ...body, defaultActivationSettings: defaults } };
  const call = calling({ tool: "bulk_activation_launch", arguments: args });
  return naming`After an hour, activate the former version of each property. Until then, ${call}.`;
}

export const activationsGuard: Guard = {
  kind: "activate",
  thing: "property versions",
  undo: { by: fallback },
  counts: activated,
  network: `${activated}[].network`,
  critical: [
    flag(`${settings}.acknowledgeAllWarnings`, "it acknowledges warnings that have not been read"),
    many(activated),
  ],
  says: (args) => {
    const isBlind = memberAt(args, `${settings}.acknowledgeAllWarnings`) === true;
    const lead = isBlind ? "ACKNOWLEDGE ALL WARNINGS, read or not, and " : "";
    const all = listInWords(itemsAt(args, activated), onNetwork);
    return memberAt(args, `${settings}.useFastFallback`) === true
      ? statement(`${lead}RETURN`, `to the version that was active before, in place of ${all}`)
      : statement(`${lead}ACTIVATE`, all, "each replaces the version that is active there");
  },
  compares: (args) => itemsAt(args, activated).map((item) => headLine(onNetwork(item))),
  // Which versions a fallback returns to is not in the call.
  forecasts: (args) =>
    memberAt(args, `${settings}.useFastFallback`) === true
      ? undefined
      : itemsAt(args, activated).map(({ propertyId, network, propertyVersion }) =>
          activationScope("property", propertyId, network, propertyVersion),
        ),
  target: (args) => `${itemsAt(args, activated).length} activations`,
  warns: (args) => twice(itemsAt(args, activated), (item) => `${propertyOf(item)} ${String(item["network"])}`),
};
