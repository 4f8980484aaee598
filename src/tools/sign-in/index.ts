/** The IP allow list of today (Identity Management v3): the addresses from which users may sign in to the vendor's portal. */
import definition from "../../definitions/box/iam.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import type { Check } from "../../language/check.js";
import type { Guard } from "../../language/conduct.js";
import { problem, shown } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { service } from "../../language/service.js";
import { act } from "../../language/statement.js";
import { listed, plain, withoutFalse } from "../../language/words.js";
import { z } from "../../language/z.js";

const on = overlay(definition, {
  arguments: { cidrBlockId: z.int().min(0), cidrBlock: z.string().min(1), comments: z.string().nullish() },
  optional: ["comments", "actions"],
  nullable: ["comments", "actions"],
});
const Block = z.looseObject({ cidrBlock: z.string(), enabled: z.boolean(), comments: z.string().nullish() });

const nameOf = (block: unknown): string => {
  const comments = memberAt(block, "comments");
  return `${plain(memberAt(block, "cidrBlock"))}${typeof comments === "string" && comments !== "" ? ` ${shown(comments)}` : ""}`;
};
const enabledIn = (blocks: unknown): readonly unknown[] =>
  (Array.isArray(blocks) ? blocks : []).filter((block) => memberAt(block, "enabled") === true);

const status = { by: "signin_allowlist_status", args: () => ({}) } as const;
const blocks = { by: "signin_cidr_blocks_list", args: () => ({}), isBound: true } as const;
const withActionsOf = {
  by: "signin_cidr_block_get",
  args: ({ cidrBlockId }: Readonly<Record<string, unknown>>) => ({ cidrBlockId, actions: true }),
} as const;

/** Whether the list decides who signs in; unknown counts as yes. */
const isOff = (found: unknown): boolean => memberAt(found, "enabled") === false;
const idle = "The allow list is off, so this has no effect until signin_allowlist_activate.";

const hasBlocks: Check = async ({ read }) =>
  enabledIn(await read("signin_cidr_blocks_list", {})).length > 0
    ? []
    : [{ field: "allow list", takes: "an allow list with an enabled block: call signin_cidr_block_create first" }];

/** Refuses what the API reports that it would refuse: a change of the last block, or of the one that covers the user. */
const allows =
  (action: "edit" | "delete"): Check =>
  async ({ args: { cidrBlockId }, present }) =>
    memberAt(await present(), `actions.${action}`) === false
      ? problem(
          "cidrBlockId",
          cidrBlockId,
          "a block that this identity may change: not the last one, nor the one that covers its own address, while the allow list is on",
        )
      : [];

const activation: Guard = {
  kind: "access",
  thing: "IP allow list",
  target: () => "allow list",
  says: (_, __, { blocks: found }) => {
    const from = enabledIn(found);
    return act`ACTIVATE the IP allow list: only from ${from.length === 0 ? "its enabled blocks" : listed(from, nameOf)} can users sign in; everyone else is LOCKED OUT at the next sign-in`;
  },
  warns: (_, present) => [
    ...(memberAt(present, "enabled") === true ? ["The allow list is already on, so nothing changes."] : []),
    "If your own address is in none of the blocks, you are locked out, too.",
  ],
  undo: { tool: "signin_allowlist_deactivate", args: () => ({}) },
};

const deactivation: Guard = {
  kind: "access",
  thing: "IP allow list",
  target: () => "allow list",
  says: (_, __, { blocks: found }) => {
    const from = enabledIn(found);
    return act`DEACTIVATE the IP allow list: users can sign in FROM ANY ADDRESS, no longer only from ${from.length === 0 ? "its blocks" : listed(from, nameOf)}`;
  },
  warns: (_, present) => (isOff(present) ? ["The allow list is already off, so nothing changes."] : []),
  undo: { tool: "signin_allowlist_activate", args: () => ({}) },
};

const coversAll = (body: unknown): boolean => /\/0+$/.test(String(memberAt(body, "cidrBlock")));
const warnings = (body: unknown, found: unknown): string[] =>
  withoutFalse(
    coversAll(body) && "This block covers every address, so the list restricts no one.",
    isOff(found) && idle,
  );

const creation: Guard = {
  kind: "access",
  thing: "block",
  target: ({ body }) => String(memberAt(body, "cidrBlock")),
  says: ({ body }) =>
    memberAt(body, "enabled") === true
      ? act`ADD ${nameOf(body)} to the IP allow list: users can sign in from there`
      : act`ADD ${nameOf(body)} to the IP allow list, not enabled`,
  warns: ({ body }, _, { status: found }) => warnings(body, found),
  undo: {
    tool: "signin_cidr_block_delete",
    made: ({ body }) => {
      const cidrBlockId = memberAt(body, "cidrBlockId");
      return cidrBlockId === undefined ? undefined : { cidrBlockId };
    },
  },
};

const change: Guard = {
  kind: "access",
  thing: "block",
  replaces: "body",
  undo: "rewrite",
  says: ({ body }, present) => {
    const [had, has] = [present, body].map((block) =>
      enabledIn([block]).map((each) => plain(memberAt(each, "cidrBlock"))),
    );
    const lost = (had ?? []).filter((cidr) => !has?.includes(cidr));
    const gained = (has ?? []).filter((cidr) => !had?.includes(cidr));
    const changes = withoutFalse(
      lost.length > 0 && `users can no longer sign in from ${lost.join()}`,
      gained.length > 0 && `users can sign in from ${gained.join()}`,
    );
    return act`CHANGE block ${nameOf(present ?? body)} of the IP allow list: ${changes.length === 0 ? "who can sign in stays the same" : changes.join("; ")}`;
  },
  warns: ({ body }, _, { status: found }) => warnings(body, found),
};

const deletion: Guard = {
  kind: "access",
  thing: "block",
  says: ({ cidrBlockId }, present) =>
    act`DELETE block ${present === undefined ? String(cidrBlockId) : nameOf(present)} of the IP allow list: users can no longer sign in from there`,
  warns: (_, __, { status: found }) => withoutFalse(isOff(found) && idle),
  undo: {
    tool: "signin_cidr_block_create",
    args: ({ before }) => {
      const { cidrBlock, enabled, comments } = Block.safeParse(before).data ?? {};
      return cidrBlock === undefined ? undefined : { body: { cidrBlock, enabled, ...(comments && { comments }) } };
    },
    isWhole: true,
  },
};

export const signIn = service("signin", {
  name: "sign-in",
  document: "today",
  title: "IP allow list",
  about: "Restricts the addresses from which users can sign in to the vendor's portal.",
  standing: { state: "alive" },
  rules: {
    "signin-not-empty": "An IP allow list without blocks cannot be activated.",
    "signin-last-block":
      "While the allow list is on, its last block and the one that covers the caller's address can be neither changed nor deleted.",
    "signin-change-while-on": "A block can be changed only while the allow list is on.",
  },
  operations: {
    signin_allowlist_status: on("GET /identity-management/v3/user-admin/ip-acl/allowlist/status", {
      does: "Shows whether the IP allow list restricts sign-in to the portal.",
    }),
    signin_allowlist_activate: on("POST /identity-management/v3/user-admin/ip-acl/allowlist/enable", {
      does: "Turns the IP allow list on: users can sign in only from its enabled blocks.",
      effect: "destructive",
      checks: [hasBlocks],
      guard: activation,
      shownBy: "signin_allowlist_status",
      relatedReads: { blocks },
      rules: ["signin-not-empty"],
    }),
    signin_allowlist_deactivate: on("POST /identity-management/v3/user-admin/ip-acl/allowlist/disable", {
      does: "Turns the IP allow list off: users can sign in from any address.",
      effect: "destructive",
      guard: deactivation,
      shownBy: "signin_allowlist_status",
      relatedReads: { blocks },
    }),
    signin_cidr_blocks_list: on("GET /identity-management/v3/user-admin/ip-acl/allowlist", {
      does: "Lists the addresses and CIDR blocks on the IP allow list.",
    }),
    signin_cidr_block_create: on("POST /identity-management/v3/user-admin/ip-acl/allowlist", {
      does: "Adds an address or a CIDR block to the IP allow list.",
      effect: "destructive",
      guard: creation,
      shownBy: "signin_cidr_blocks_list",
      relatedReads: { status },
      example: { body: { cidrBlock: "192.0.2.0/28", enabled: true, comments: "Branch office" } },
    }),
    signin_cidr_block_get: on("GET /identity-management/v3/user-admin/ip-acl/allowlist/{cidrBlockId}", {
      does: "Reads a block of the IP allow list.",
      example: { cidrBlockId: 3001 },
    }),
    signin_cidr_block_update: on("PUT /identity-management/v3/user-admin/ip-acl/allowlist/{cidrBlockId}", {
      does: "Replaces a block of the IP allow list, or disables it.",
      effect: "destructive",
      checks: [allows("edit")],
      guard: change,
      shownBy: withActionsOf,
      relatedReads: { status },
      rules: ["signin-last-block", "signin-change-while-on"],
      example: { cidrBlockId: 3002, body: { cidrBlock: "198.51.100.0/28", enabled: false } },
    }),
    signin_cidr_block_delete: on("DELETE /identity-management/v3/user-admin/ip-acl/allowlist/{cidrBlockId}", {
      does: "Deletes a block of the IP allow list.",
      checks: [allows("delete")],
      guard: deletion,
      shownBy: withActionsOf,
      relatedReads: { status },
      rules: ["signin-last-block"],
      example: { cidrBlockId: 3002 },
    }),
    signin_cidr_block_check: on("GET /identity-management/v3/user-admin/ip-acl/allowlist/validate", {
      does: "Checks whether the IP allow list takes a text as an address or CIDR block.",
      means: { 204: "It is valid." },
      example: { cidrblock: "192.0.2.0/28" },
    }),
  },
});
