/** The changes that are not deployed, from the lists of recent changes. */

import type { Arguments, DifferenceLine } from "../../language/conduct.js";
import { signedLine } from "../../language/difference-lines.js";
import { listAt, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted, withoutFalse } from "../../language/words.js";
import { type RecentChange, RecentChanges } from "./shapes.js";

/** The groups that a configuration deployment names, and the parts of it. */
const groups = ["sites", "policies", "honeypots", "customlists"] as const;
type GroupName = (typeof groups)[number];
const parts = ["created", "modified", "deleted"] as const;
type Part = (typeof parts)[number];
/** Public samples and public schemas differ in the word for a deletion. */
const partOf: ReadonlyMap<string, Part> = new Map([
  ["Added", "created"],
  ["Modified", "modified"],
  ["Removed", "deleted"],
  ["Deleted", "deleted"],
]);
const singular: Readonly<Record<string, string>> = {
  sites: "site",
  policies: "policy",
  honeypots: "honeypot",
  customlists: "list",
  emergency_lists: "emergency list",
};

/** One object that was changed since the last deployment. */
export interface PendingObject {
  readonly group: string;
  /** The part of a deployment that names it; undefined if none does. */
  readonly part: Part | undefined;
  readonly id: number | undefined;
  /** Who changed it last, if known. */
  readonly by: string | undefined;
  /** The object in words: `site "West 1" (101)`. */
  readonly thing: string;
  /** What was done to it: `modified by jperez: Name East → "West 1"`. */
  readonly done: string;
  /** The change as a line of a difference: `+ site "West 1" (101) added by jperez`. */
  readonly line: DifferenceLine;
}

/** A change within an object: what a set gained or lost, or the old and new value of a member. */
function innerWords(change: RecentChange): string {
  const { name, oldValue, newValue } = change.detail;
  const what = plainOrQuoted(name ?? "something");
  const innerChanges = change.changes ?? [];
  if (innerChanges.length > 0) return innerChanges.map(innerWords).join(", ");
  return oldValue === undefined || newValue === undefined
    ? `${what} ${change.changeType.toLowerCase()}`
    : `${what} ${plainOrQuoted(oldValue)} → ${plainOrQuoted(newValue)}`;
}

/** A changed object in a group of the response. */
function pendingOf(
  group: string,
  { changeType, detail: { id, name, modifiedBy }, changes: inner = [] }: RecentChange,
): PendingObject {
  const thing = withoutFalse(
    singular[group] ?? plainOrQuoted(group.replaceAll("_", " ")),
    name !== undefined && plainOrQuoted(name),
    id !== undefined && `(${id})`,
  ).join(" ");
  const by = typeof modifiedBy === "string" ? plainOrQuoted(modifiedBy) : undefined;
  const parts = inner.length === 0 ? "" : `: ${listInWords(inner.map(innerWords))}`;
  const done = `${plainOrQuoted(changeType.toLowerCase())}${by === undefined ? "" : ` by ${by}`}${parts}`;
  const part = partOf.get(changeType);
  const line = signedLine(
    part === "created" ? "added" : part === "deleted" ? "removed" : "changed",
    `${thing} ${done}`,
  );
  return { group, part, id, by, thing, done, line };
}

/** The objects in a response on recent changes; undefined for a response of another shape. */
export function pendingObjectsIn(body: unknown): readonly PendingObject[] | undefined {
  const { data } = RecentChanges.safeParse(body);
  return data?.changes.flatMap(({ deltaType, changes }) => changes.map((one) => pendingOf(deltaType, one)));
}

/** The body of a configuration deployment that names exactly these pending changes. */
export function deploymentOf(pending: readonly PendingObject[]) {
  const named = (part: Part) =>
    Object.fromEntries(
      groups.flatMap((group) => {
        const ids = pending.filter((one) => one.group === group && one.part === part && one.id !== undefined);
        return ids.length === 0 ? [] : [[group, ids.map(({ id }) => ({ id }))]];
      }),
    );
  return { created: named("created"), modified: named("modified"), deleted: named("deleted") };
}

/** The pending changes that are not named, those that no deployment can name, and the named ones that are not pending. */
export function comparePending(args: Arguments, pending: readonly PendingObject[]) {
  const named = parts.flatMap((part) =>
    groups.flatMap((group) =>
      listAt(args, ["body", part, group]).map((one) => ({ group, part, id: Number(memberAt(one, "id")) })),
    ),
  );
  const canBeNamed = ({ group }: PendingObject) => groups.some((known) => known === group);
  const isNamed = ({ group, id }: PendingObject) => named.some((one) => one.group === group && one.id === id);
  return {
    named,
    left: pending.filter((one) => canBeNamed(one) && !isNamed(one)),
    others: pending.filter((one) => !canBeNamed(one)),
    stray: named.filter(
      ({ group, part, id }) => !pending.some((one) => one.group === group && one.part === part && one.id === id),
    ),
  };
}

/** An object of a group in words: `site "West 1" (101)`, or `site 101` if it has no pending change. */
export const objectWords = (group: GroupName, id: number, pending: readonly PendingObject[] = []): string =>
  pending.find((one) => one.group === group && one.id === id)?.thing ?? `${singular[group]} ${id}`;
