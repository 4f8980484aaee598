/** A law on the words of the declaration language: how many there are, and that each of them has users. */
import { expect, it } from "vitest";

import { promptOf } from "../../src/tools/guides.js";
import { allServices } from "../../src/tools/index.js";

/**
 * A key is a name that whoever declares something writes because the language has it: of an operation, of a guard, of a
 * service, or of an object inside one of these, such as a launch's `awaits`. A form that stands in several places is
 * counted once. These members are none, because their names are the API's or the service's own, or belong to a schema, or
 * because nobody writes them: an introduction is a template.
 */
const named = new Set([
  ...["operation.path", "operation.query", "operation.headers", "operation.answerHeaders", "operation.body"],
  ...["operation.returns", "operation.means", "operation.example", "operation.view.arguments", "operation.view.schema"],
  ...["operation.shows.aside", "operation.shows.daily.of", "guard.items.words", "guard.items.usual"],
  ...[
    "service.rules",
    "service.ids",
    "service.operations",
    "service.replaces.gone",
    "service.resources.content.args",
    "values.args",
  ],
  "service.introduction",
]);
/** What stands in several places, or by a name of the service's own, under its form. */
const forms: Readonly<Record<string, string>> = {
  "operation.guard": "guard",
  "operation.shownBy": "reading",
  "operation.sendsTo": "reading",
  "operation.standing": "service.standing",
  "prompt.arguments.values": "values",
};
/** Members whose own members are the service's names, each for one object of a form. */
const namedForms: Readonly<Record<string, string>> = {
  "operation.relatedReads": "reading",
  "service.resources.content.values": "values",
};

type Users = Map<string, Set<string>>;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Notes every key of a value and of what is inside it, with who uses it. */
function note(users: Users, form: string, value: unknown, user: string): void {
  if (Array.isArray(value)) for (const item of value) note(users, form, item, user);
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const key = `${form}.${name}`;
    users.set(key, (users.get(key) ?? new Set()).add(user));
    const namedForm = namedForms[key];
    if (namedForm !== undefined) for (const one of Object.values(inner ?? {})) note(users, namedForm, one, user);
    else if (!named.has(key)) note(users, forms[key] ?? key, inner, user);
  }
}

const users: Users = new Map();
const routes = new Set<string>();
for (const { operations, ...service } of await allServices()) {
  note(users, "service", { ...service, operations: {} }, service.name);
  note(users, "prompt", await promptOf(service.name), service.name);
  for (const [tool, { route, spec }] of Object.entries(operations)) {
    // One that is carried over with its route is the same user.
    if (!routes.has(`${tool} ${route}`)) note(users, "operation", spec, `${service.name} ${tool}`);
    routes.add(`${tool} ${route}`);
  }
}
const keys = [...users].sort(([a], [b]) => a.localeCompare(b));
/** What stands directly in an operation, a guard or a service: the words that one has to know to write or read any. */
const isOuter = ([key]: readonly [string, unknown]) => /^(operation|guard|service)\.\w+$/.test(key);
const table = keys.map(([key, { size }]) => `${String(size).padStart(4)} ${key}`).join("\n");

/** Keys with one user, each with why it stands alone. */
const alone: Readonly<Record<string, string>> = {
  "guard.items.rank": "of a zone's records, those at the apex come first; an emergency list has no order",
  "guard.items.usual": "a record says whether it is served; an entry of an emergency list has nothing to leave out",
  "operation.shows.order": "one list decides by its order, and takes one item at a place of it",
  "operation.shows.order.by": "as the order",
  "operation.shows.order.of": "as the order",
};

it("has few keys in an operation, a guard and a service, and no more inside them than it needs", () => {
  expect(keys.filter(isOuter).length, table).toBeLessThanOrEqual(61);
  expect(keys.length, table).toBeLessThanOrEqual(173);
});

it("has two users or more of each key, or a word why it stands alone", () => {
  const lonely = keys.filter(([, { size }]) => size < 2);
  expect(
    lonely.map(([key]) => key),
    `${lonely.map(([key, by]) => `${key}: ${[...by].join()}`).join("\n")}\n\n${table}`,
  ).toEqual(Object.keys(alone));
});
