/** How deletions of alerts are taken back: by creating again what was there, under a new id. */
import type { Arguments, Past } from "../../language/conduct.js";
import { isRecord, listAt, memberAt } from "../../language/member.js";

/** The definition as it was; the API gives it a new id. */
export function definitionPutBack({ before }: Past): Arguments | undefined {
  const fields = memberAt(before, "fields");
  return isRecord(fields) ? { body: { fields: { ...fields, definitionId: "" } } } : undefined;
}

/** The suppression among those that were listed. */
export function suppressionPutBack({ given, before }: Past): Arguments | undefined {
  const found = listAt(before, "data").find((one) => memberAt(one, "suppressionId") === given["suppressionId"]);
  if (found === undefined) return undefined;
  return { definitionId: given["definitionId"], start: memberAt(found, "start"), end: memberAt(found, "end") };
}
