/** What is refused before it is sent: elements of the other type, writes to read-only lists, the deletion of an active list. */
import type { Check } from "../../language/check.js";
import { type FieldProblem, fieldProblem } from "../../language/failure.js";
import { listAt, memberAt } from "../../language/member.js";
import { z } from "../../language/z.js";

const environments = ["STAGING", "PRODUCTION"] as const;

/** The statuses in which a network has a version of the list, or is about to have one. */
const statusesInForce: ReadonlySet<unknown> = new Set(["ACTIVE", "MODIFIED", "PENDING_ACTIVATION"]);

/** The version of a list that is active on a network, by its status there; undefined if there is none. */
export const activeVersion = (status: unknown): unknown =>
  statusesInForce.has(memberAt(status, "activationStatus")) ? memberAt(status, "syncPoint") : undefined;

/** What an element of each type is; a block may have bits behind its prefix. */
export const elementForms = {
  IP: z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]),
  GEO: z.string().regex(/^[A-Z]{2}$/),
} as const;

const takes = {
  IP: 'an IP address or a CIDR block such as "192.0.2.0/24", because the list\'s type is IP',
  GEO: 'a country code of two capital letters such as "DE", because the list\'s type is GEO',
} as const;

/** The problems of elements; none if the type is unknown. */
function misfits(type: unknown, elements: readonly (readonly [field: string, element: unknown])[]): FieldProblem[] {
  if (type !== "IP" && type !== "GEO") return [];
  return elements.flatMap(([field, element]) =>
    elementForms[type].safeParse(element).success ? [] : fieldProblem(field, element, takes[type]),
  );
}
const inBody = (args: unknown) =>
  listAt(args, "body.list").map((element, at) => [`body.list[${at}]`, element] as const);

export const elementsAreOfType: Check = ({ args }) => misfits(memberAt(args, "body.type"), inBody(args));

export const elementsFitList: Check = async ({ args, present }) => {
  const one = args["element"] === undefined ? [] : [["element", args["element"]] as const];
  return misfits(memberAt(await present(), "type"), [...inBody(args), ...one]);
};

export const typeStays: Check = async ({ args, present }) => {
  const [type, given] = [memberAt(await present(), "type"), memberAt(args, "body.type")];
  const takes = `${String(type)}, which cannot be changed: create another list for the other type`;
  return type === undefined || type === given ? [] : fieldProblem("body.type", given, takes);
};

export const isWritable: Check = async ({ args, present }) =>
  memberAt(await present(), "readOnly") === true
    ? fieldProblem("networkListId", args["networkListId"], "a list that you may change: this one is read-only for you")
    : [];

export const contractHasGroup: Check = ({ args }) => {
  const missing = ["contractId", "groupId"].filter((name) => memberAt(args, ["body", name]) === undefined);
  const takes = "a value, because contractId and groupId are used together";
  return missing.length === 1 ? [{ field: `body.${missing[0]}`, takes }] : [];
};

/** The networks that have a version of a list which was read with its statuses. */
export const networksOf = (list: unknown): readonly string[] =>
  environments.filter((name) => statusesInForce.has(memberAt(list, `${name.toLowerCase()}ActivationStatus`)));

export const isInactive: Check = async ({ args, present }) => {
  const networks = networksOf(await present());
  const takes = `a list that was never activated: this one is active on ${networks.join(" and ")}. To turn it off, remove its elements with netlist_replace and activate it`;
  return networks.length === 0 ? [] : fieldProblem("networkListId", args["networkListId"], takes);
};
