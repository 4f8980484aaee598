/** The outline of a tree of groups: one row a group, with its path, where nesting is hard to read. */
import type { View } from "../../language/conduct.js";
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
          value: placed(body).map((one) => ({
            groupId: one.group.groupId,
            path: pathOf(one),
            ...(one.group.parentGroupId === undefined ? {} : { parentGroupId: one.group.parentGroupId }),
            subGroups: one.group.subGroups?.length ?? 0,
            ...(one.group["actions"] === undefined ? {} : { actions: one.group["actions"] }),
          })),
        }
      : undefined,
};
