/** Log sources and deliveries in words, and previews of changes to log configurations. */
import type { Arguments, Guard, ReviewForm, Undo } from "../../language/conduct.js";
import { act, guardsOf, membership, reversal, stamps } from "../../language/guards.js";
import { listAt, memberAt } from "../../language/member.js";
import { listInWords, plainOrQuoted, withoutFalse } from "../../language/words.js";

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
  return `${plainOrQuoted(textAt(source, "type") ?? "log source")} ${plainOrQuoted(sourceTitle(source))}`;
};

/** Where logs go, without the directory and the user. */
function hostInWords(delivery: unknown): string {
  const at = (name: string) => plainOrQuoted(memberAt(delivery, name) ?? "unknown");
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
    directory !== undefined && `directory ${plainOrQuoted(directory)}`,
    login !== undefined && `as ${plainOrQuoted(login)}`,
  ).join(", ");
}

/** Who is notified of deliveries: the email addresses, and the contact by its id. */
function recipientsOf(configuration: unknown): readonly string[] {
  const contact = textAt(configuration, "contactDetails.contact.id");
  return withoutFalse(
    ...listAt(configuration, "contactDetails.mailAddresses").map(plainOrQuoted),
    contact !== undefined && `contact ${plainOrQuoted(contact)}`,
  );
}

const nameOf = (args: Arguments, present: unknown): string =>
  `log configuration ${plainOrQuoted(args["logConfigurationId"])} of ${sourceInWords(present)}`;
const ofConfiguration = guardsOf(
  "log configuration",
  nameOf,
  ({ logConfigurationId }) => `log configuration ${String(logConfigurationId)}`,
);
const deliveryOf = (configuration: unknown): unknown => memberAt(configuration, "deliveryDetails");
const goTo = (configuration: unknown): string => `go to ${destinationInWords(deliveryOf(configuration))}`;

/** Redeliveries of the configuration that have not ended yet. */
function openRedeliveries(args: Arguments, redeliveries: unknown): string | false {
  const open = listAt(redeliveries, []).filter(
    (one) =>
      /^(new|scheduled)$/.test(String(memberAt(one, "status"))) &&
      String(memberAt(one, "logConfiguration.id")) === String(args["logConfigurationId"]),
  );
  const days = listInWords(open, (one) => plainOrQuoted(memberAt(one, "redeliveryDate")));
  const which = open.length === 1 ? "A redelivery" : "Redeliveries";
  return open.length > 0 && `${which} of ${days}, still under way, may fail.`;
}

/** Only an active configuration delivers (public facts C, 4). */
function notActive(present: unknown): string | false {
  const status = memberAt(present, "status") ?? "active";
  return status !== "active" && `It is ${plainOrQuoted(status)}, so it currently delivers nothing.`;
}

export const deletion = ofConfiguration("DELETE", {
  kind: "delete",
  undo: {
    by: "Call log_configuration_create with the present state that plan_get shows. It starts tomorrow at the earliest, an FTP delivery needs its password again, and the logs of the days in between are not delivered.",
  },
  results: (_, present) => `its logs no longer ${goTo(present)}, and none can be redelivered`,
  warns: (args, present, { redeliveries }) => [notActive(present), openRedeliveries(args, redeliveries)],
});

export const suspension = ofConfiguration("SUSPEND", {
  kind: "suspend",
  undo: reversal("log_configuration_resume", "logConfigurationId"),
  results: (_, present) => `until it is resumed, no logs ${goTo(present)}`,
  warns: (args, _, { redeliveries }) => [openRedeliveries(args, redeliveries)],
});

export const resumption = ofConfiguration("RESUME", {
  kind: "resume",
  when: "sending",
  undo: reversal("log_configuration_suspend", "logConfigurationId"),
  results: (_, present) => `its logs ${goTo(present)} again`,
});

/** Warns about an FTP delivery without its password, which no response shows. */
const withoutPassword = (body: unknown, why: string): string | false => {
  const [type, password] = ["type", "password"].map((name) => memberAt(deliveryOf(body), name));
  return type === "ftp" && password === undefined && `deliveryDetails.password is left out: ${why}.`;
};

const isEncrypted = (configuration: unknown): boolean => {
  const key = memberAt(configuration, "encodingDetails.encodingKey");
  return typeof key === "string" && key !== "";
};

/** How a replacement changes where logs go and who is notified. */
function movesOf({ body }: Arguments, present: unknown): string[] {
  const [from, to] = [present, body].map((one) => hostInWords(deliveryOf(one)));
  const { lost, gained } = membership(recipientsOf(present), recipientsOf(body));
  const moves = withoutFalse(
    from !== to && `logs go to ${to} instead of ${from}`,
    gained.length > 0 && `${listInWords(gained)} would be notified of deliveries`,
    lost.length > 0 && `${listInWords(lost)} would no longer be notified`,
    isEncrypted(present) && !isEncrypted(body) && "logs are no longer encrypted",
  );
  return moves.length > 0 ? moves : [`logs still ${goTo(body)}, and the same people are notified`];
}

const choices = [
  ...["contactDetails.contact", "logFormatDetails.logFormat", "messageSize", "encodingDetails.encoding"],
  ...["aggregationDetails.deliveryFrequency", "aggregationDetails.deliveryThreshold"],
];
/** Recipients and products have no order, and the API names each choice and links it. */
export const configurationForm: ReviewForm = {
  sets: ["contactDetails.mailAddresses", "logSource.products"],
  ignores: stamps("links", "logSource.links", ...choices.flatMap((choice) => [`${choice}.value`, `${choice}.links`])),
  usual: { "*": null },
};

export const replacement = ofConfiguration("REPLACE", {
  kind: "overwrite",
  replaces: "body",
  review: configurationForm,
  // If the API hides a password, the undo is not sent without it.
  undo: "rewrite",
  results: movesOf,
  warns: ({ body }, present) => {
    const [named = "unknown", now = named] = [body, present].map((one) => memberAt(one, "logSource.id"));
    return [
      notActive(present),
      withoutPassword(body, "the API never shows the current one, and a replacement without it removes it"),
      memberAt(body, "logSource.id") !== undefined &&
        named !== now &&
        `The body names the log source ${plainOrQuoted(named)}, but the configuration belongs to ${plainOrQuoted(now)}.`,
    ];
  },
});

/** Deletes the new configuration, which the response names only in its location. */
const madeAt: Undo = {
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
  undo: madeAt,
  says: ({ logSourceType: type, logSourceId: id, body }, _, { logSource = { id, type } }) =>
    act`CREATE a log configuration: logs of ${sourceInWords({ logSource })} ${goTo(body)} from ${plainOrQuoted(memberAt(body, "startDate"))} on; notified: ${listInWords(recipientsOf(body))}`,
  warns: ({ body }) => [withoutPassword(body, "the FTP host has to accept logs without one")],
};

export const copying: Guard = {
  ...ofConfiguration("COPY", { kind: "create", when: "sending", undo: madeAt }),
  says: (args, _, { original }) => {
    const [type, id] = ["type", "id"].map((name) => plainOrQuoted(memberAt(args, `body.copyTarget.logSource.${name}`)));
    return act`COPY ${nameOf(args, original)} to ${type} ${id}: its logs ${goTo(original)} as well`;
  },
};
