/** Log sources and deliveries in words, and previews of changes to log configurations. */

import { type Arguments, type Guard, only, type Undo } from "../../language/conduct.js";
import { listAt, memberAt } from "../../language/member.js";
import { act } from "../../language/statement.js";
import { listed, plain, withoutFalse } from "../../language/words.js";

const textAt = (root: unknown, path: string): string | undefined => {
  const value = memberAt(root, path);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
};

/** The title of a log source, from the member that its type has, or its id. */
export const sourceTitle = (source: unknown): string =>
  ["cpCode", "zoneName", "propertyName", "name", "id"].map((name) => textAt(source, name)).find(Boolean) ?? "unknown";

/** The source of a configuration in a sentence: `cpcode-products "12345 - Shop"`. */
const sourceInWords = (configuration: unknown): string => {
  const source = memberAt(configuration, "logSource");
  return `${plain(textAt(source, "type") ?? "log source")} ${plain(sourceTitle(source))}`;
};

/** Where logs go, without the directory and the user. */
function hostInWords(delivery: unknown): string {
  const at = (name: string) => plain(memberAt(delivery, name) ?? "unknown");
  switch (memberAt(delivery, "type")) {
    case "email":
      return `the email address ${at("emailAddress")}`;
    case "ftp":
      return `the FTP host ${at("machine")}`;
    case "httpsns4":
      return `the network storage ${at("domainPrefix")} (CP code ${at("cpcodeId")})`;
    default:
      return "an unknown destination";
  }
}

/** Where logs go, with the directory and the user. */
function destinationInWords(delivery: unknown): string {
  const [directory, login] = ["directory", "login"].map((name) => textAt(delivery, name));
  return withoutFalse(
    hostInWords(delivery),
    directory !== undefined && `directory ${plain(directory)}`,
    login !== undefined && `as ${plain(login)}`,
  ).join(", ");
}

/** Who is notified of deliveries: the email addresses, and the contact by its id. */
function recipientsOf(configuration: unknown): readonly string[] {
  const contact = textAt(configuration, "contactDetails.contact.id");
  return withoutFalse(
    ...listAt(configuration, "contactDetails.mailAddresses").map(plain),
    contact !== undefined && `contact ${plain(contact)}`,
  );
}

export const configurationId = only("logConfigurationId");
const nameOf = (args: Arguments, present: unknown): string =>
  `log configuration ${plain(args["logConfigurationId"])} of ${sourceInWords(present)}`;
const target = (args: Arguments): string => `log configuration ${String(args["logConfigurationId"])}`;
const deliveryOf = (configuration: unknown): unknown => memberAt(configuration, "deliveryDetails");

/** The redeliveries that a preview shows, because they end with their configuration. */
export const readRedeliveries = { redeliveries: { by: "log_redeliveries_list", args: () => ({}) } } as const;

const isOpen = (redelivery: unknown): boolean => /^(new|scheduled)$/.test(String(memberAt(redelivery, "status")));

/** Redeliveries of the configuration that have not ended yet. */
function openRedeliveries(args: Arguments, redeliveries: unknown): string[] {
  const own = (Array.isArray(redeliveries) ? redeliveries : []).filter(
    (one) => isOpen(one) && String(memberAt(one, "logConfiguration.id")) === String(args["logConfigurationId"]),
  );
  if (own.length === 0) return [];
  const days = listed(own.map((one) => plain(memberAt(one, "redeliveryDate"))));
  return [`${own.length === 1 ? "A redelivery" : "Redeliveries"} of ${days}, still under way, may fail.`];
}

/** Only an active configuration delivers (public facts C, 4). */
function notActive(present: unknown): string[] {
  const status = memberAt(present, "status");
  return status === undefined || status === "active"
    ? []
    : [`It is ${plain(status)}, so it currently delivers nothing.`];
}

export const deletion: Guard = {
  kind: "delete",
  thing: "log configuration",
  undo: {
    by: "Call log_configuration_create with the present state that plan_get shows. It starts tomorrow at the earliest, an FTP delivery needs its password again, and the logs of the days in between are not delivered.",
  },
  target,
  says: (args, present) =>
    act`DELETE ${nameOf(args, present)}: its logs no longer go to ${destinationInWords(deliveryOf(present))}, and none can be redelivered`,
  warns: (args, present, { redeliveries }) => [...notActive(present), ...openRedeliveries(args, redeliveries)],
};

export const suspension: Guard = {
  kind: "suspend",
  thing: "log configuration",
  undo: { tool: "log_configuration_resume", args: ({ given }) => configurationId(given) },
  target,
  says: (args, present) =>
    act`SUSPEND ${nameOf(args, present)}: until it is resumed, no logs go to ${destinationInWords(deliveryOf(present))}`,
  warns: (args, _, { redeliveries }) => openRedeliveries(args, redeliveries),
};

export const resumption: Guard = {
  kind: "resume",
  thing: "log configuration",
  when: "sending",
  undo: { tool: "log_configuration_suspend", args: ({ given }) => configurationId(given) },
  target,
  says: (args, present) =>
    act`RESUME ${nameOf(args, present)}: its logs go to ${destinationInWords(deliveryOf(present))} again`,
};

/** Warns about an FTP delivery without its password, which no response shows. */
const withoutPassword = (written: unknown, why: string): string[] => {
  const delivery = deliveryOf(written);
  return memberAt(delivery, "type") === "ftp" && memberAt(delivery, "password") === undefined
    ? [`deliveryDetails.password is left out: ${why}.`]
    : [];
};

const isEncrypted = (configuration: unknown): boolean => {
  const key = memberAt(configuration, "encodingDetails.encodingKey");
  return typeof key === "string" && key !== "";
};

/** How a replacement changes where logs go and who is notified. */
function movesOf(present: unknown, written: unknown): string[] {
  const [before, after] = [deliveryOf(present), deliveryOf(written)];
  const [from, to] = [hostInWords(before), hostInWords(after)];
  const [had, has] = [recipientsOf(present), recipientsOf(written)];
  const [added, removed] = [has.filter((one) => !had.includes(one)), had.filter((one) => !has.includes(one))];
  return withoutFalse(
    from !== to && `logs go to ${to} instead of ${from}`,
    added.length > 0 && `${listed(added)} would be notified of deliveries`,
    removed.length > 0 && `${listed(removed)} would no longer be notified`,
    isEncrypted(present) && !isEncrypted(written) && "logs are no longer encrypted",
  );
}

export const replacement: Guard = {
  kind: "overwrite",
  thing: "log configuration",
  replaces: "body",
  // If the API hides a password, the undo is not sent without it.
  undo: "rewrite",
  target,
  says: (args, present) => {
    const moves = movesOf(present, args["body"]);
    const still = `logs still go to ${destinationInWords(deliveryOf(args["body"]))}, and the same people are notified`;
    return act`REPLACE ${nameOf(args, present)}: ${moves.length === 0 ? still : moves.join("; ")}`;
  },
  warns: (args, present) => {
    const written = args["body"];
    const [named, own] = [memberAt(written, "logSource.id"), memberAt(present, "logSource.id")];
    return withoutFalse(
      ...notActive(present),
      ...withoutPassword(written, "the API never shows the current one, and a replacement without it removes it"),
      named !== undefined &&
        own !== undefined &&
        named !== own &&
        `The body names the log source ${plain(named)}, but the configuration belongs to ${plain(own)}.`,
    );
  },
};

export const readForCreation = {
  logSource: { by: "log_source_get", args: only("logSourceType", "logSourceId") },
} as const;
/** Deletes the new configuration, which the response names only in its location. */
const removal: Undo = {
  tool: "log_configuration_delete",
  made: ({ location }) => {
    const id = /\/log-configurations\/(\d{1,18})\/?$/.exec(location ?? "")?.[1];
    return id === undefined ? undefined : { logConfigurationId: id };
  },
};
export const creation: Guard = {
  kind: "create",
  thing: "log configuration",
  when: "sending",
  undo: removal,
  says: (args, _, { logSource }) => {
    const { logSourceType, logSourceId, body } = args;
    const source = logSource === undefined ? { id: logSourceId, type: logSourceType } : logSource;
    return act`CREATE a log configuration: logs of ${sourceInWords({ logSource: source })} go to ${destinationInWords(deliveryOf(body))} from ${plain(memberAt(body, "startDate"))} on; notified: ${listed(recipientsOf(body))}`;
  },
  warns: (args) => withoutPassword(args["body"], "the FTP host has to accept logs without one"),
};

export const readForCopy = { original: { by: "log_configuration_get", args: configurationId } } as const;
export const copying: Guard = {
  kind: "create",
  thing: "log configuration",
  when: "sending",
  undo: removal,
  target,
  says: (args, _, { original }) =>
    act`COPY ${nameOf(args, original)} to ${plain(memberAt(args, "body.copyTarget.logSource.type"))} ${plain(memberAt(args, "body.copyTarget.logSource.id"))}: its logs go to ${destinationInWords(deliveryOf(original))} as well`,
};
