/** What every threat-protection configuration has: responses, categories and built-in lists. */

export const securityCategories = [
  { id: 1, name: "Malware", description: "Hosts that spread or run malware" },
  { id: 2, name: "Phishing", description: "Hosts that imitate others to obtain secrets" },
  { id: 3, name: "C&C", description: "Hosts that control infected machines" },
  { id: 4, name: "Other", description: "Everything else" },
] as const;

export const aupCategories = [
  { id: 1, name: "Social", description: "Social networks" },
  { id: 2, name: "Gambling", description: "Games for money" },
  { id: 3, name: "File sharing", description: "Exchange of files with strangers" },
] as const;

/** A response's effect on a visitor is the emulator's; the API shows the other members. */
export const responses = [
  { id: 1, name: "Monitor", description: "Allow and report", allowedForAUP: false, stops: false },
  { id: 2, name: "Block - DNS", description: "Refuse to resolve", allowedForAUP: true, stops: true },
  { id: 3, name: "Drop", description: "Do not answer", allowedForAUP: false, stops: true },
  { id: 4, name: "Block - Error Page", description: "Show an error page", allowedForAUP: true, stops: true },
  { id: 5, name: "Allow", description: "Allow", allowedForAUP: true, stops: false },
  { id: 6, name: "Classify", description: "Look at the traffic first", allowedForAUP: true, stops: false },
] as const;

export const builtinLists = securityCategories.slice(0, 3).map(({ id, name, description }) => ({
  id,
  name,
  description,
  securityCategoryId: id,
}));

export const categoryOf = (id: number) => securityCategories.find((one) => one.id === id);
export const builtinOf = (id: number) => builtinLists.find((one) => one.id === id);
export const responseOf = (id: number) => responses.find((one) => one.id === id);
