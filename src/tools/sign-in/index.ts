/** The IP allow list of today (Identity Management v3): the addresses from which users may sign in to the vendor's portal. */
import definition from "../../definitions/box/iam.json" with { type: "json" };
import { overlay } from "../../definitions/overlay.js";
import type { Check } from "../../language/check.js";
import type { Guard } from "../../language/conduct.js";
import { fieldProblem, quoteValue } from "../../language/failure.js";
import { act, guardsOf, memberClauses, membership, removal, reversal } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { service } from "../../language/service.js";
import { listInWords, plainOrQuoted } from "../../language/words.js";
import { z } from "../../language/z.js";

const operationAt = overlay(definition, {
  arguments: { cidrBlockId: z.int().min(0), cidrBlock: z.string().min(1), comments: z.string().nullish() },
  optional: ["comments", "actions"],
  nullable: ["comments", "actions"],
});
const Block = z.looseObject({ cidrBlock: z.string(), enabled: z.boolean(), comments: z.string().nullish() });

const nameOf = (block: unknown): string => {
  const comments = memberAt(block, "comments");
  return `${plainOrQuoted(memberAt(block, "cidrBlock"))}${typeof comments === "string" && comments !== "" ? ` ${quoteValue(comments)}` : ""}`;
};
const enabledIn = (blocks: unknown): readonly unknown[] =>
  listAt(blocks, []).filter((block) => memberAt(block, "enabled") === true);

const status = { by: "signin_allowlist_status", args: () => ({}) } as const;
const blocks = { by: "signin_cidr_blocks_list", args: () => ({}), isBound: true } as const;
const withActionsOf = {
  by: "signin_cidr_block_get",
  args: ({ cidrBlockId }: Readonly<Record<string, unknown>>) => ({ cidrBlockId, actions: true }),
} as const;

/** Whether the list decides who signs in; unknown counts as yes. */
const isOff = (found: unknown): boolean => memberAt(found, "enabled") === false;
const idle = "The allow list is off, so this has no effect until signin_allowlist_activate.";

/** Refuses what the API reports that it would refuse: a change of the last block, or of the one that covers the user. */
const allows =
  (action: "edit" | "delete"): Check =>
  async ({ args: { cidrBlockId }, present }) =>
    memberAt(await present(), `actions.${action}`) === false
      ? fieldProblem(
          "cidrBlockId",
          cidrBlockId,
          "a block that this identity may change: not the last one, nor the one that covers its own address, while the allow list is on",
        )
      : [];

const from = (found: unknown, otherwise: string): string => listInWords(enabledIn(found), nameOf) || otherwise;
const ofList = guardsOf(
  "IP allow list",
  () => "the IP allow list",
  () => "allow list",
);

const coversAll = (body: unknown): boolean => /\/0+$/.test(String(memberAt(body, "cidrBlock")));
const warns: Guard["warns"] = ({ body }, _, { status: found }) => [
  coversAll(body) && "This block covers every address, so the list restricts no one.",
  isOff(found) && idle,
];

const ofBlock = guardsOf("block", ({ body, cidrBlockId }, present) => {
  const block = present ?? body;
  return `block ${block === undefined ? String(cidrBlockId) : nameOf(block)} of the IP allow list`;
});

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
    signin_allowlist_status: operationAt("GET /identity-management/v3/user-admin/ip-acl/allowlist/status", {
      does: "Shows whether the IP allow list restricts sign-in to the portal.",
    }),
    signin_allowlist_activate: operationAt("POST /identity-management/v3/user-admin/ip-acl/allowlist/enable", {
      does: "Turns the IP allow list on: users can sign in only from its enabled blocks.",
      effect: "destructive",
      checks: [
        async ({ read }) =>
          enabledIn(await read("signin_cidr_blocks_list", {})).length > 0
            ? []
            : [
                {
                  field: "allow list",
                  takes: "an allow list with an enabled block: call signin_cidr_block_create first",
                },
              ],
      ],
      guard: ofList("ACTIVATE", {
        kind: "access",
        results: (_, __, { blocks: found }) => [
          `only from ${from(found, "its enabled blocks")} can users sign in`,
          "everyone else is LOCKED OUT at the next sign-in",
        ],
        warns: (_, present) => [
          memberAt(present, "enabled") === true && "The allow list is already on, so nothing changes.",
          "If your own address is in none of the blocks, you are locked out, too.",
        ],
        undo: reversal("signin_allowlist_deactivate"),
      }),
      shownBy: "signin_allowlist_status",
      relatedReads: { blocks },
      rules: ["signin-not-empty"],
    }),
    signin_allowlist_deactivate: operationAt("POST /identity-management/v3/user-admin/ip-acl/allowlist/disable", {
      does: "Turns the IP allow list off: users can sign in from any address.",
      effect: "destructive",
      guard: ofList("DEACTIVATE", {
        kind: "access",
        results: (_, __, { blocks: found }) =>
          `users can sign in FROM ANY ADDRESS, no longer only from ${from(found, "its blocks")}`,
        warns: (_, present) => [isOff(present) && "The allow list is already off, so nothing changes."],
        undo: reversal("signin_allowlist_activate"),
      }),
      shownBy: "signin_allowlist_status",
      relatedReads: { blocks },
    }),
    signin_cidr_blocks_list: operationAt("GET /identity-management/v3/user-admin/ip-acl/allowlist", {
      does: "Lists the addresses and CIDR blocks on the IP allow list.",
    }),
    signin_cidr_block_create: operationAt("POST /identity-management/v3/user-admin/ip-acl/allowlist", {
      does: "Adds an address or a CIDR block to the IP allow list.",
      effect: "destructive",
      guard: {
        kind: "access",
        thing: "block",
        warns,
        target: ({ body }) => String(memberAt(body, "cidrBlock")),
        says: ({ body }) => {
          const isOn = memberAt(body, "enabled") === true;
          return act`ADD ${nameOf(body)} to the IP allow list: ${isOn ? "users can sign in from there" : "it is not enabled"}`;
        },
        undo: removal("signin_cidr_block_delete", "cidrBlockId"),
      },
      shownBy: "signin_cidr_blocks_list",
      relatedReads: { status },
      example: { body: { cidrBlock: "192.0.2.0/28", enabled: true, comments: "Branch office" } },
    }),
    signin_cidr_block_get: operationAt("GET /identity-management/v3/user-admin/ip-acl/allowlist/{cidrBlockId}", {
      does: "Reads a block of the IP allow list.",
      example: { cidrBlockId: 3001 },
    }),
    signin_cidr_block_update: operationAt("PUT /identity-management/v3/user-admin/ip-acl/allowlist/{cidrBlockId}", {
      does: "Replaces a block of the IP allow list, or disables it.",
      effect: "destructive",
      checks: [allows("edit")],
      guard: ofBlock("CHANGE", {
        kind: "access",
        replaces: "body",
        undo: "rewrite",
        warns,
        results: ({ body }, present) => {
          const [had = [], has = []] = [present, body].map((block) =>
            enabledIn([block]).map((each) => memberAt(each, "cidrBlock")),
          );
          const verbs = ["users can no longer sign in from", "users can sign in from"] as const;
          return memberClauses(membership(had, has), "who can sign in stays the same", plainOrQuoted, verbs);
        },
      }),
      shownBy: withActionsOf,
      relatedReads: { status },
      rules: ["signin-last-block", "signin-change-while-on"],
      example: { cidrBlockId: 3002, body: { cidrBlock: "198.51.100.0/28", enabled: false } },
    }),
    signin_cidr_block_delete: operationAt("DELETE /identity-management/v3/user-admin/ip-acl/allowlist/{cidrBlockId}", {
      does: "Deletes a block of the IP allow list.",
      checks: [allows("delete")],
      guard: ofBlock("DELETE", {
        kind: "access",
        results: () => "users can no longer sign in from there",
        warns: (_, __, { status: found }) => [isOff(found) && idle],
        undo: {
          tool: "signin_cidr_block_create",
          args: ({ before }) => {
            const { cidrBlock, enabled, comments } = Block.safeParse(before).data ?? {};
            return cidrBlock === undefined
              ? undefined
              : { body: { cidrBlock, enabled, ...(comments && { comments }) } };
          },
          isWhole: true,
        },
      }),
      shownBy: withActionsOf,
      relatedReads: { status },
      rules: ["signin-last-block"],
      example: { cidrBlockId: 3002 },
    }),
    signin_cidr_block_check: operationAt("GET /identity-management/v3/user-admin/ip-acl/allowlist/validate", {
      does: "Checks whether the IP allow list takes a text as an address or CIDR block.",
      means: { 204: "It is valid." },
      example: { cidrblock: "192.0.2.0/28" },
    }),
  },
});
