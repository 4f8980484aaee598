/** The outline of a tree of groups: one row a group, with its path, where nesting is hard to read. */
import type { View } from "../../language/conduct.js";
import { defined } from "../../language/member.js";
import { z } from "../../language/z.js";
import { pathOf, placed } from "./tree.js";

const Outline = z.array(
  z.looseObject({ groupId: z.int(), path: z.string(), parentGroupId: z.int().optional(), subGroups: z.int() }),
);

export const groupOutline: View = {
  arguments: { outline: z.boolean().optional().describe("true: a flat list with paths") },
  schema: Outline,
  show: (body, { outline }) =>
    outline === true
      ? {
          value: placed(body).map((one) => {
            const { groupId, parentGroupId, subGroups = [], actions } = one.group;
            return defined({ groupId, path: pathOf(one), parentGroupId, subGroups: subGroups.length, actions });
          }),
        }
      : undefined,
};
