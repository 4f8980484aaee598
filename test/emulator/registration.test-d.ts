/** What the compiler refuses of a registration: each line below compiles only because the error it expects is there. */
import { usualErrorFormat } from "../../src/emulator/reply.js";
import { emulateService } from "../../src/emulator/service.js";
import type { emulatedServices } from "../../src/emulator/services/index.js";
import { purge } from "../../src/emulator/services/purge/index.js";
import { json, op } from "../../src/language/define.js";
import { service } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";

const declared = service("thing", {
  name: "things",
  document: "A",
  title: "Things",
  about: "Things",
  standing: { state: "alive" },
  rules: {},
  operations: { thing_get: op("GET /things", { does: "x", returns: { 200: json(z.string()) }, example: {} }) },
});
const thing_get = () => ({ status: 200, body: "a" }) as const;

export const whole = emulateService(declared, usualErrorFormat, { thing_get });
// @ts-expect-error An operation without a behaviour.
export const lacking = emulateService(declared, usualErrorFormat, {});
// @ts-expect-error A behaviour without an operation.
export const stray = emulateService(declared, usualErrorFormat, { thing_get, thing_put: thing_get });
const thing_created = () => ({ status: 201, body: "a" }) as const;
// @ts-expect-error A status that is not declared.
export const undeclared = emulateService(declared, usualErrorFormat, { thing_get: thing_created });

type Registrations = typeof emulatedServices;
export const right: Pick<Registrations, "purge"> = { purge: async () => purge };
// @ts-expect-error The registration of another service.
export const wrong: Pick<Registrations, "dns"> = { dns: async () => purge };
