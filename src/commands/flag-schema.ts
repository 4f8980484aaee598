/** Which flags there are for a schema of arguments. */
import { isRecord } from "../api/member.js";
import type { JsonSchema } from "../mcp/catalogue.js";

/** The named members of an object's schema. */
export const membersOf = ({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  isRecord(properties) ? (properties as Record<string, JsonSchema>) : {};

/** The flag of an argument or of a member inside it, and its schema. */
export interface FlagSchema {
  readonly flag: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/**
 * The flags of a schema: one for each argument, and for an object with named members one for each of these.
 * @param isRequired Whether what holds the members is required itself.
 */
export function flagsOf(schema: JsonSchema, at = "--", isRequired = true): FlagSchema[] {
  const required = (schema["required"] ?? []) as readonly string[];
  return Object.entries(membersOf(schema)).flatMap(([name, member]): FlagSchema[] => {
    const isNeeded = isRequired && required.includes(name);
    const isOpen = Object.keys(membersOf(member)).length === 0 || isRecord(member["additionalProperties"]);
    return [
      ...(isOpen ? [{ flag: `${at}${name}`, schema: member, isRequired: isNeeded }] : []),
      ...flagsOf(member, `${at}${name}.`, isNeeded),
    ];
  });
}
