/** What a person has to know before changes are deployed: which of them go live, and which are left. */
import { type Arguments, type Guard, only } from "../../language/conduct.js";
import { bounded } from "../../language/line-difference.js";
import { memberAt } from "../../language/member.js";
import { listed, plain, told } from "../../language/words.js";
import { itemsInWords } from "./items.js";
import { compared, pendingIn, wordFor } from "./pending.js";

const config = only("configId");

/** The approval is bound to what is pending, because a deployment takes live what is there when it begins. */
export const besideDeployment = {
  pending: { by: "threat_changes_list", args: config, isBound: true },
} as const;
export const besideListDeployment = {
  pending: { by: "threat_list_changes_list", args: config, isBound: true },
  items: {
    by: "threat_list_items_list",
    args: (args: Arguments): Arguments => ({
      ...config(args),
      listId: memberAt(args, "body.id"),
      numItemsPerPage: 10,
    }),
    isBound: true,
  },
} as const;

/** Deployments that are still running. */
const running = (present: unknown): readonly string[] =>
  Array.isArray(present)
    ? present
        .filter((one) => /^(PENDING|RUNNING|BUILDING|STAGING|REVERTING)$/.test(String(memberAt(one, "status"))))
        .map((one) => `${plain(memberAt(one, "id"))} (${plain(memberAt(one, "status"))})`)
    : [];
const warnsOfRunning = (present: unknown): string[] => {
  const under = running(present);
  return under.length === 0 ? [] : [`A deployment is under way: ${listed(under)}.`];
};
const cannotTell = "What was changed since the last deployment could not be read.";

export const configurationDeployment: Guard = {
  kind: "activate",
  thing: "configuration",
  target: ({ configId }) => `configuration ${String(configId)}`,
  undo: {
    by: "Nothing rolls back by itself. Write back what stood there before with the tools that changed it, and deploy again.",
  },
  says: (args, _, { pending }) => {
    const known = pendingIn(pending) ?? [];
    const { named, others } = compared(args, known);
    // What no deployment can name goes with each.
    const goes = [...named.map(({ group, id }) => wordFor(group, id, known)), ...others.map(({ thing }) => thing)];
    const which = `DEPLOY configuration ${String(args["configId"])}`;
    if (goes.length === 0) return `${which}: it names nothing that could go live`;
    return `${which}: ${listed(goes)} ${goes.length === 1 ? "goes" : "go"} live for visitors of its sites within a minute`;
  },
  compares: (args, _, { pending }) => {
    const known = pendingIn(pending);
    if (known === undefined) return [];
    const { left } = compared(args, known);
    const goes = known.filter((one) => !left.includes(one)).map(({ line }) => line);
    return [
      "What differs from the last deployment and goes live:",
      ...bounded(goes, "Nothing that the call names is pending."),
      ...(left.length === 0
        ? []
        : [
            "What differs as well and is not named:",
            ...bounded(
              left.map(({ line }) => line),
              "",
            ),
          ]),
    ];
  },
  warns: (args, present, { pending: body }) => {
    const pending = pendingIn(body);
    if (pending === undefined) return [...warnsOfRunning(present), cannotTell];
    const { left, others, stray } = compared(args, pending);
    const lists = memberAt(args, "body.created.customlists") ?? memberAt(args, "body.modified.customlists");
    return told(
      ...warnsOfRunning(present),
      left.length > 0 &&
        `Not named, so it is uncertain whether it goes live: ${listed(left.map(({ thing }) => thing))}.`,
      others.length > 0 &&
        `Goes with it, because no deployment can name it: ${listed(others.map(({ thing }) => thing))}.`,
      ...stray.map(
        ({ group, part, id }) => `${wordFor(group, id)} is named as ${part}, but nothing of the kind is pending.`,
      ),
      lists !== undefined && "Changes of custom lists are deployed by threat_list_deployment_launch.",
    );
  },
};

export const listDeployment: Guard = {
  kind: "activate",
  thing: "custom list",
  target: (args) => `list ${String(memberAt(args, "body.id"))}`,
  undo: {
    by: "Nothing rolls back by itself. Put the items back with threat_list_item_update, and deploy the list again.",
  },
  says: (args, _, { pending }) => {
    const id = memberAt(args, "body.id");
    const known = pendingIn(pending);
    const own = known?.find((one) => one.id === id);
    const which = `DEPLOY ${own?.thing ?? `list ${String(id)}`} of configuration ${String(args["configId"])}`;
    return known !== undefined && own === undefined
      ? `${which}: nothing of it was changed since its last deployment`
      : `${which}: its changes go live on all networks in about 30 minutes`;
  },
  compares: (args, _, { pending, items }) => {
    const id = memberAt(args, "body.id");
    const known = pendingIn(pending);
    const own = (known ?? []).filter((one) => one.id === id).map(({ line }) => line);
    const has = itemsInWords(items);
    return told(
      ...(known === undefined
        ? []
        : [
            "What differs from the last deployment and goes live:",
            ...bounded(own, "Nothing of this list is pending."),
          ]),
      has !== undefined && `The list then has ${has}.`,
    );
  },
  warns: (args, present, { pending: body }) => {
    const pending = pendingIn(body);
    const id = memberAt(args, "body.id");
    if (pending === undefined) return [...warnsOfRunning(present), cannotTell];
    const isPending = pending.some((one) => one.id === id);
    const others = pending.filter((one) => one.id !== id);
    return told(
      ...warnsOfRunning(present),
      !isPending && `Nothing of list ${String(id)} was changed since its last deployment.`,
      others.length > 0 && `Not deployed by this call: ${listed(others.map(({ thing }) => thing))}.`,
    );
  },
};
