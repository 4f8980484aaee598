/** What a person has to know before a user's roles or blocked properties change: who gains and loses what. */
import type { Arguments, Guard } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { listed, plain } from "../../language/words.js";
import { z } from "../../language/z.js";
import { loginOf, userOf } from "./naming.js";
import { Grants, Property, Role } from "./shapes.js";
import { heldIn, pathOf, placed, placeOf } from "./tree.js";

type Held = ReturnType<typeof heldIn>[number];

/** Roles in groups, in words; names come from what was read besides, and ids stand where that is silent. */
export function roleWords(held: readonly Held[], { groups, roles }: Arguments): string {
  if (held.length === 0) return "nothing";
  // Of several reads, null is a role that is not there.
  const known = (z.array(Role.nullable()).safeParse(roles).data ?? []).filter((one) => one !== null);
  const tree = placed(groups);
  const named = ({ roleId, roleName, groupId }: Held) => {
    const role = known.find((one) => one.roleId === roleId)?.roleName ?? roleName ?? roleId;
    const place = placeOf(tree, groupId);
    if (groupId === undefined) return `${plain(role)} in the whole account`;
    return `${plain(role)} in ${place === undefined ? `group ${plain(groupId)}` : plain(pathOf(place))}`;
  };
  return listed(held.map(named));
}

export const grantChange: Guard = {
  kind: "access",
  thing: "roles",
  target: loginOf,
  says: (args, present, beside) => {
    const after = heldIn(Grants.safeParse(args["body"]).data);
    const shownNow = Grants.safeParse(memberAt(present, "authGrants")).data;
    const who = userOf(args, present);
    if (shownNow === undefined) return `REPLACE THE ROLES of ${who}: they then have ${roleWords(after, beside)}`;
    const before = heldIn(shownNow);
    const without = (all: readonly Held[], from: readonly Held[]) =>
      all.filter((one) => !from.some(({ groupId, roleId }) => groupId === one.groupId && roleId === one.roleId));
    return `REPLACE THE ROLES of ${who}: they lose ${roleWords(without(before, after), beside)} and gain ${roleWords(without(after, before), beside)}`;
  },
  undo: {
    tool: "user_grants_replace",
    args: ({ given: { uiIdentityId }, before }) => {
      const body = memberAt(before, "authGrants");
      return body === undefined ? undefined : { uiIdentityId, body };
    },
  },
};

const idsIn = (value: unknown): readonly number[] => z.array(z.int()).safeParse(value).data ?? [];

export const blockedChange: Guard = {
  kind: "access",
  thing: "blocked properties",
  replaces: "body",
  undo: "rewrite",
  target: (args, _, { user }) => loginOf(args, user),
  says: (args, present, { user, properties }) => {
    const known = z.array(Property).safeParse(properties).data ?? [];
    const words = (ids: readonly number[]) =>
      ids.length === 0
        ? "nothing"
        : listed(ids, (id) => plain(known.find((one) => one.propertyId === id)?.propertyName ?? `property ${id}`));
    const after = idsIn(args["body"]);
    const before = idsIn(present);
    const id = args["groupId"];
    const name = known.find(({ groupId }) => groupId === id)?.groupName;
    const group = name === undefined ? plain(id) : `${plain(name)} (${plain(id)})`;
    const who = `${userOf(args, user)}, in group ${group}`;
    if (present === undefined)
      return `REPLACE THE BLOCKED PROPERTIES of ${who}: they then cannot work on ${words(after)}`;
    const [had, has] = [new Set(before), new Set(after)];
    const lost = after.filter((id) => !had.has(id));
    const gained = before.filter((id) => !has.has(id));
    return `REPLACE THE BLOCKED PROPERTIES of ${who}: they lose ${words(lost)} and gain ${words(gained)}`;
  },
};
