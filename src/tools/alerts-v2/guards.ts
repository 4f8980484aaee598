/** What a person has to know before an alert is created: whom it notifies. */
import type { Answered, Arguments, Guard } from "../../api/conduct.js";
import { memberAt } from "../../api/member.js";

/** The definition that the answer shows. */
function definitionMade({ body }: Answered): Arguments | undefined {
  const definitionId = memberAt(body, "definitionId") ?? memberAt(body, "fields.definitionId");
  return typeof definitionId === "string" && definitionId !== "" ? { definitionId } : undefined;
}

export const definitionCreation: Guard = {
  kind: "create",
  thing: "alert definition",
  named: "body.fields.name",
  isAboutDestinations: true,
  target: ({ body }) => String(memberAt(body, "fields.name")),
  undo: { tool: "alert_definition_delete", made: definitionMade },
};
