/** What every threat-protection configuration has: responses, categories and built-in lists. */
import catalog from "./catalog.json" with { type: "json" };

/** A response's `stops`, its effect on a visitor, is the emulator's; the API shows the other members. */
export const { securityCategories, aupCategories, responses, dnsConfiguration } = catalog;

export const builtinLists = securityCategories.slice(0, 3).map((one) => ({ ...one, securityCategoryId: one.id }));

export const categoryOf = (id: number) => securityCategories.find((one) => one.id === id);
export const builtinOf = (id: number) => builtinLists.find((one) => one.id === id);
export const responseOf = (id: number) => responses.find((one) => one.id === id);
