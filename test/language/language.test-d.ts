/** What the compiler refuses: each line below compiles only because the error it expects is there. */
import type { Behaviours } from "../../src/emulator/behaviour.js";
import { json, op } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import type { purge } from "../../src/tools/purge/index.js";

const rest = { does: "x", returns: { 200: json(z.string()) }, example: {} } as const;

// @ts-expect-error A misspelt path key.
export const misspelt = op("GET /a/{id}", { ...rest, path: { ids: z.string() }, example: { ids: "1" } });
// @ts-expect-error A path without its keys.
export const missing = op("GET /a/{id}", rest);
export const extra = op("GET /a/{id}", {
  ...rest,
  // @ts-expect-error A key that the path lacks.
  path: { id: z.string(), other: z.string() },
  example: { id: "1", other: "2" },
});
// @ts-expect-error Keys for a path that has none.
export const none = op("GET /a", { ...rest, path: { id: z.string() }, example: { id: "1" } });
// @ts-expect-error A method that is none.
export const method = op("FETCH /a", rest);
// @ts-expect-error A write that does not say its effect.
export const effect = op("POST /a", rest);
// @ts-expect-error A destructive operation without a guard.
export const unguarded = op("POST /a", { ...rest, effect: "destructive", shownBy: "a_get" });
// @ts-expect-error A deletion without a guard.
export const deletion = op("DELETE /a", rest);
// @ts-expect-error A read that is guarded.
export const read = op("GET /a", { ...rest, guard: { kind: "delete" } });
// @ts-expect-error A change of which nothing shows the outcome.
export const unseen = op("POST /a", { ...rest, effect: "create" });

const about = { name: "a", document: "A", title: "A", about: "A", rules: {} } as const;
// @ts-expect-error An operation without its service's prefix.
export const prefix = service("a", { ...about, operations: { b_get: op("GET /a", rest) } });

type World = Record<string, never>;
const body = {} as never;
// @ts-expect-error An operation without a behaviour.
export const lacking: Behaviours<typeof purge, World> = {
  purge_queue_get: () => ({ status: 200, body }),
  purge_submit: () => ({ status: 201, body }),
};
export const undeclared: Behaviours<typeof purge, World> = {
  purge_queue_get: () => ({ status: 200, body }),
  // @ts-expect-error A status that the operation does not declare.
  purge_submit: () => ({ status: 200, body }),
  purge_status: () => ({ status: 200, body }),
};
export const complete: Behaviours<typeof purge, World> = {
  purge_queue_get: () => ({ status: 200, body }),
  purge_submit: () => ({ status: 201, body }),
  purge_status: () => ({ status: 200, body }),
};
