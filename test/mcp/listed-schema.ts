/** The schemas of tools that every client and model provider accepts: a check, a validator, and values written for them. */

export type Listed = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Listed =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const membersOf = (schema: Listed): Listed => (isObject(schema["properties"]) ? schema["properties"] : {});

/** In their required order, so that the same declaration is the same text in every build. */
const keywords = "type description enum default minimum maximum items properties required additionalProperties".split(
  " ",
);
const types = ["object", "array", "string", "number", "integer", "boolean"];

/** The reasons for which a client could refuse a listed schema, or fail; none if every client accepts it. */
export function problemsOfListedSchema(schema: unknown, at = ""): string[] {
  if (!isObject(schema)) return [`${at}: is not a schema that is an object`];
  const keys = Object.keys(schema);
  const { type, description, enum: values, items, properties, required, additionalProperties: further } = schema;
  const found = [
    ...keys.filter((key) => !keywords.includes(key)).map((key) => `has the keyword ${key}`),
    ...(keys.join() === keywords.filter((key) => keys.includes(key)).join()
      ? []
      : [`has its keywords in another order: ${keys.join()}`]),
    ...(types.includes(String(type)) && typeof type === "string" ? [] : [`has the type ${JSON.stringify(type)}`]),
    ...(description === undefined || (typeof description === "string" && /\S/.test(description))
      ? []
      : ["has no words in its description"]),
  ];
  // Gemini: values are text, and never empty.
  const isEnum =
    Array.isArray(values) && values.length > 0 && values.every((one) => typeof one === "string" && one !== "");
  if (values !== undefined && !(isEnum && type === "string" && new Set(values).size === values.length))
    found.push(`has the values ${JSON.stringify(values)}`);
  if ("default" in schema) found.push(...faults(schema, schema["default"], "default"));
  if ((type === "array") !== "items" in schema) found.push("has items that do not go with its type");
  const isOfMembers = type === "object";
  if (isOfMembers !== isObject(properties)) found.push("has members that do not go with its type");
  if (!isOfMembers && (required !== undefined || further !== undefined)) found.push("says of members what has none");
  if (isOfMembers) {
    const names = Object.keys(membersOf(schema));
    if (
      required !== undefined &&
      !(Array.isArray(required) && required.length > 0 && required.every((one) => names.includes(String(one))))
    )
      found.push(`requires ${JSON.stringify(required)} of ${names.join()}`);
    // A tool may have no arguments; any other object without members has to say what they can be.
    if (at !== "" && names.length === 0 && further === undefined) found.push("has no members");
    if (further !== undefined && further !== true && !isObject(further)) found.push("has further members of no schema");
  }
  return [
    ...found.map((problem) => `${at || "arguments"}: ${problem}`),
    ...Object.entries(membersOf(schema)).flatMap(([name, inner]) => problemsOfListedSchema(inner, `${at}.${name}`)),
    ...("items" in schema ? problemsOfListedSchema(items, `${at}[]`) : []),
    ...(isObject(further) ? problemsOfListedSchema(further, `${at}.*`) : []),
  ];
}

/** The faults that a client finds in a value if it validates arguments by the listed schema. */
export function faults(schema: Listed, value: unknown, at = "arguments"): string[] {
  const { type, enum: values, items, required = [], additionalProperties: further } = schema;
  const isOfType =
    type === "object"
      ? isObject(value)
      : type === "array"
        ? Array.isArray(value)
        : type === "integer"
          ? Number.isInteger(value)
          : typeof value === type;
  if (!isOfType) return [`${at}: ${JSON.stringify(value)} is not of type ${String(type)}`];
  if (Array.isArray(values) && !values.includes(value))
    return [`${at}: ${JSON.stringify(value)} is not one of ${values.join()}`];
  if (Array.isArray(value)) return value.flatMap((item, index) => faults(items as Listed, item, `${at}[${index}]`));
  if (!isObject(value)) return [];
  const members = membersOf(schema);
  return [
    ...(required as string[]).filter((name) => value[name] === undefined).map((name) => `${at}.${name}: is missing`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const inner = Object.hasOwn(members, name) ? members[name] : further;
      return isObject(inner) ? faults(inner, member, `${at}.${name}`) : [];
    }),
  ];
}

const emptyOf: Listed = { object: {}, array: [], string: "" };

/**
 * A value as it is written by a caller that has only the listed schema: numbers and the like as text where text is listed, what
 * may stand for a list as a list of one, and null left out or, where it cannot be, empty.
 */
export function writtenFor(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  const { type, items, additionalProperties: further } = schema;
  if (value === null) return emptyOf[String(type)] ?? null;
  if (type === "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  if (type === "array") return (Array.isArray(value) ? value : [value]).map((item: unknown) => writtenFor(items, item));
  if (type !== "object" || !isObject(value)) return value;
  const members = membersOf(schema);
  const required = (schema["required"] ?? []) as string[];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member !== null || !Object.hasOwn(members, name) || required.includes(name))
      .map(([name, member]) => [name, writtenFor(Object.hasOwn(members, name) ? members[name] : further, member)]),
  );
}

/** A value with the only item in place of each list of one text or number. */
export function withoutListsOfOne(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 1 && ["string", "number"].includes(typeof value[0]) && value[0] !== ""
      ? value[0]
      : value.map(withoutListsOfOne);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutListsOfOne(member)]))
    : value;
}

/**
 * The meaning of a value, in whatever types it is written: numbers as text, and nothing for what is null or empty.
 */
export function meaningOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(meaningOf);
    return items.length === 0 ? undefined : items.length === 1 ? items[0] : items;
  }
  if (isObject(value)) {
    const members = Object.entries(value).flatMap(([name, member]) => {
      const said = meaningOf(member);
      return said === undefined ? [] : [[name, said] as const];
    });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  return value === null || value === undefined || value === "" ? undefined : String(value);
}
