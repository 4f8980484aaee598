/** Previews of creating and replacing alerts, and how a deletion is undone. */
import type { Answered, Arguments, Guard, Past, Statement } from "../../language/conduct.js";
import { act } from "../../language/guards.js";
import { isRecord, listAt, memberAt } from "../../language/member.js";
import { listed, plain, withoutFalse } from "../../language/words.js";

/** The definition in the response. */
function definitionMade({ body }: Answered): Arguments | undefined {
  const definitionId = memberAt(body, "definitionId") ?? memberAt(body, "fields.definitionId");
  return typeof definitionId === "string" && definitionId !== "" ? { definitionId } : undefined;
}

export const definitionCreation: Guard = {
  kind: "create",
  thing: "alert definition {body.fields.name}",
  when: "sending",
  target: ({ body }) => String(memberAt(body, "fields.name")),
  undo: { tool: "alert_definition_delete", made: definitionMade },
};

const fieldsIn = (definition: unknown): Arguments => {
  const fields = memberAt(definition, "fields");
  return isRecord(fields) ? fields : {};
};
const mailIn = (fields: Arguments): readonly string[] => {
  const mail = ["email", "emailBrief"].flatMap((name) => fields[name] ?? []);
  return [...new Set(mail.map(plain))];
};

/** The first sentence of its preview; undefined if the present definition is unknown. */
export function replacementInWords(args: Arguments, present: unknown): Statement | undefined {
  if (present === undefined) return undefined;
  const [before, after] = [fieldsIn(present), fieldsIn(args["body"])];
  const [had, has] = [mailIn(before), mailIn(after)];
  const gone = had.filter((one) => !has.includes(one));
  const come = has.filter((one) => !had.includes(one));
  const mail = withoutFalse(
    gone.length > 0 && `${listed(gone)} ${gone.length === 1 ? "is" : "are"} no longer notified`,
    come.length > 0 && `${listed(come)} would be notified`,
  );
  const name = before["name"] === undefined ? "" : ` (${plain(before["name"])})`;
  const still = has.length === 0 ? "it sends no mail" : `${listed(has)} would still be notified`;
  return act`REPLACE alert definition ${String(args["definitionId"])}${name}: ${mail.length > 0 ? mail : [still]}`;
}

/** The definition as it was; the API gives it a new id. */
export function definitionPutBack({ before }: Past): Arguments | undefined {
  const fields = memberAt(before, "fields");
  return isRecord(fields) ? { body: { fields: { ...fields, definitionId: "" } } } : undefined;
}

/** The suppression among the listed ones. */
export function suppressionPutBack({ given, before }: Past): Arguments | undefined {
  const found = listAt(before, "data").find((one) => memberAt(one, "suppressionId") === given["suppressionId"]);
  if (found === undefined) return undefined;
  return { definitionId: given["definitionId"], start: memberAt(found, "start"), end: memberAt(found, "end") };
}
