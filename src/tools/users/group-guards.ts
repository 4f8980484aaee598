/** What a person has to know before a group or a property moves, or a group goes. */
import type { Arguments, Guard } from "../../language/conduct.js";
import { memberAt } from "../../language/member.js";
import { listed, plain } from "../../language/words.js";
import { groupWords, people } from "./naming.js";
import { accessTo, type Placed, placed, placeOf, usersIn } from "./tree.js";

const bodyOf = (args: Arguments) =>
  args["body"] as { readonly sourceGroupId: number; readonly destinationGroupId: number };
const list = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

/** Who gains and who loses access; says so where that could not be read. */
const gainsAndLosses = (lost: readonly unknown[] | undefined, gained: readonly unknown[] | undefined): string =>
  lost === undefined || gained === undefined
    ? "who gains and who loses access could not be read"
    : `access is lost by ${people(lost)} and gained by ${people(gained)}`;

const above = (place: Placed | undefined): Placed | undefined =>
  place === undefined || place.line.length < 2
    ? undefined
    : { group: place.line.at(-2) as Placed["group"], line: place.line.slice(0, -1) };

export const groupDeletion: Guard = {
  kind: "delete",
  thing: "group",
  target: ({ groupId }, present) => String(memberAt(present, "groupName") ?? `group ${String(groupId)}`),
  says: ({ groupId }, _, { groups }) =>
    `DELETE ${groupWords(placeOf(placed(groups), groupId), groupId)}, which has no sub-groups and no users: its name and its place in the tree are gone`,
  undo: {
    by: "Call user_group_create, which makes an empty group of the same name under the same parent, with another id.",
  },
};

export const groupMove: Guard = {
  kind: "access",
  thing: "group",
  target: (args, present) => {
    const { sourceGroupId } = bodyOf(args);
    return placeOf(placed(present), sourceGroupId)?.group.groupName ?? `group ${sourceGroupId}`;
  },
  says: (args, present, { lost, gained }) => {
    const { sourceGroupId, destinationGroupId } = bodyOf(args);
    const all = placed(present);
    const from = placeOf(all, sourceGroupId);
    const below = all.flatMap(({ group, line }) =>
      from !== undefined && group !== from.group && line.includes(from.group) ? [plain(group.groupName)] : [],
    );
    const whole =
      below.length === 0 ? "" : ` with the ${below.length === 1 ? "group" : "groups"} below it, ${listed(below)},`;
    return `MOVE ${groupWords(from, sourceGroupId)}${whole} under ${groupWords(placeOf(all, destinationGroupId), destinationGroupId)}: ${gainsAndLosses(list(lost), list(gained))}`;
  },
  undo: {
    tool: "user_group_move",
    args: ({ given, before }) => {
      const { sourceGroupId } = bodyOf(given);
      const parent = above(placeOf(placed(before), sourceGroupId));
      return parent && { body: { sourceGroupId, destinationGroupId: parent.group.groupId } };
    },
  },
};

export const propertyMove: Guard = {
  kind: "access",
  thing: "property",
  target: (args, present) => String(memberAt(present, "propertyName") ?? args["propertyId"]),
  says: (args, present, { groups, users }) => {
    const { sourceGroupId, destinationGroupId } = bodyOf(args);
    const all = placed(groups);
    const [from, to] = [placeOf(all, sourceGroupId), placeOf(all, destinationGroupId)];
    const name = memberAt(present, "propertyName");
    const which = `property ${name === undefined ? "" : `${plain(name)} `}(${plain(args["propertyId"])})`;
    const known = list(users) && usersIn(users);
    const [had, has] = [from, to].map((place) => place && known && accessTo(place, known));
    const concerned = gainsAndLosses(
      had && has ? had.filter((one) => !has.includes(one)) : undefined,
      had && has ? has.filter((one) => !had.includes(one)) : undefined,
    );
    return `MOVE ${which} from ${groupWords(from, sourceGroupId)} to ${groupWords(to, destinationGroupId)}: ${concerned}`;
  },
  undo: {
    tool: "user_property_move",
    args: ({ given }) => {
      const { sourceGroupId, destinationGroupId } = bodyOf(given);
      return {
        propertyId: given["propertyId"],
        body: { sourceGroupId: destinationGroupId, destinationGroupId: sourceGroupId },
      };
    },
  },
};
