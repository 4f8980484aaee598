/** How alerts are taken back: a deletion by creating again what was there, under a new id, and a creation by deleting it. */
import type { Answered, Arguments, Past } from "../../api/conduct.js";
import { isRecord, memberAt } from "../../api/member.js";

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

/** The definition that an answer shows. */
export function definitionMade({ body }: Answered): Arguments | undefined {
  const definitionId = memberAt(body, "definitionId") ?? memberAt(body, "fields.definitionId");
  return typeof definitionId === "string" && definitionId !== "" ? { definitionId } : undefined;
}
