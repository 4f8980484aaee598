/** How the lines of a result begin that are the program's own, and which texts from outside could be taken for one of them. */

/** The beginnings of its lines; a line that has a value has it behind a colon. */
export const labels = {
  approval: "Approval is required",
  confirm: "confirm",
  corrected: "Corrected call",
  differs: "What differs",
  emptyList: "Empty list",
  emptyObject: "Empty object",
  emptyText: "Empty text",
  from: "From",
  headers: "Headers",
  links: "Links not shown",
  location: "Location",
  next: "Next",
  note: "Note",
  null: "Null",
  aside: "Not shown",
  plan: "plan",
  previewed: "Previewed with",
  same: "same in every",
  status: "Status",
  summary: "Summary of",
  times: "Times",
  upstreamSaid: "The upstream said",
  why: "Why",
} as const;

/** The same of a preview, which is written where it is made, and of what is to be done with it. */
const inPreviews = [
  "Account",
  "Call",
  "Calls",
  "In all calls",
  "Request",
  "Undo",
  "Now",
  "Warning",
  "Changes",
  "Digest of",
  "Secret",
  "Filled in by the profile",
  "Show this preview",
  "A person has to",
  "Not shown here",
];

/** All beginnings. */
export const ownBeginnings: readonly string[] = [...Object.values(labels), ...inPreviews];

// A sentence of ours is known by its first words. A single word begins many texts, and is ours in front of a colon.
const [sentences, words] = [true, false].map((isSentence) =>
  ownBeginnings.filter((one) => one.includes(" ") === isSentence).join("|"),
);
const own = new RegExp(`^\\s*(?:(?:${sentences})(?!\\w)|(?:${words})\\s*:|${labels.status} \\d)`);

/** Whether a text begins as one of the program's own lines does, so that it has to be quoted at the beginning of a line. */
export const beginsLikeOurs = (text: string): boolean => own.test(text);
