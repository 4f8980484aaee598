/** The words in which log sources and deliveries stand in previews, refusals and choices. */
import { listAt, memberAt } from "../../language/member.js";
import { plain, told } from "../../language/words.js";

const textAt = (root: unknown, path: string): string | undefined => {
  const value = memberAt(root, path);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
};

/** What a log source is called, by the member that its type has; its id where it has none. */
export const sourceTitle = (source: unknown): string =>
  ["cpCode", "zoneName", "propertyName", "name", "id"].map((name) => textAt(source, name)).find(Boolean) ?? "unknown";

/** The source of a configuration in a sentence: `cpcode-products "12345 - Shop"`. */
export const sourceInWords = (configuration: unknown): string => {
  const source = memberAt(configuration, "logSource");
  return `${plain(textAt(source, "type") ?? "log source")} ${plain(sourceTitle(source))}`;
};

/** Where logs go, without what only decides how they lie there. */
export function hostInWords(delivery: unknown): string {
  const at = (name: string) => plain(memberAt(delivery, name) ?? "unknown");
  switch (memberAt(delivery, "type")) {
    case "email":
      return `the mail address ${at("emailAddress")}`;
    case "ftp":
      return `the FTP host ${at("machine")}`;
    case "httpsns4":
      return `the network storage ${at("domainPrefix")} (CP code ${at("cpcodeId")})`;
    default:
      return "a place that is not known";
  }
}

/** Where logs go, with the directory and the user. */
export function destinationInWords(delivery: unknown): string {
  const [directory, login] = ["directory", "login"].map((name) => textAt(delivery, name));
  return told(
    hostInWords(delivery),
    directory !== undefined && `directory ${plain(directory)}`,
    login !== undefined && `as ${plain(login)}`,
  ).join(", ");
}

/** The people who are told of a delivery: the mail addresses, and the contact by its id. */
export function recipientsOf(configuration: unknown): readonly string[] {
  const contact = textAt(configuration, "contactDetails.contact.id");
  return told(
    ...listAt(configuration, "contactDetails.mailAddresses").map(plain),
    contact !== undefined && `contact ${plain(contact)}`,
  );
}
