/** How deletions of alerts are taken back: by creating again what was there, under a new id. */
import type { Arguments, Past } from "../../language/conduct.js";
import { isRecord, memberAt } from "../../language/member.js";

/** The definition as it was; the API gives it a new id. */
export function definitionPutBack({ before }: Past): Arguments | undefined {
  const fields = memberAt(before, "fields");
  return isRecord(fields) ? { body: { fields: { ...fields, definitionId: "" } } } : undefined;
}

/** The suppression among those that were listed. */
export function suppressionPutBack({ given, before }: Past): Arguments | undefined {
  const listed = memberAt(before, "data");
  const found = (Array.isArray(listed) ? listed : []).find(
    (one) => memberAt(one, "suppressionId") === given["suppressionId"],
  );
  return found && { definitionId: given["definitionId"], start: memberAt(found, "start"), end: memberAt(found, "end") };
}
