/** Laws over all operations: what is advised when an id was not found names tools that list it, and none that does not exist. */
import { describe, expect } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import type { Failure } from "../../src/language/failure.js";
import type { Send } from "../../src/language/wire.js";
import { resolvedExample } from "../../src/pages/example.js";
import { allServices } from "../../src/tools/index.js";
import { idsInPath } from "../../src/wire/known-ids.js";
import { lawsOver } from "../lab/laws.js";
import { operationsIn } from "../lab/project.js";
import { exceptionsTo } from "../lab/tables.js";
import { callOver } from "../wire/exchange.js";

const operations = operationsIn(await allServices("documents"));
const names = new Set(operations.map(([name]) => name));

/** Operations with an id that no tool lists, and where it comes from. */
const unlisted = new Map(exceptionsTo("unlisted id"));

const notThere: Send = async () => ({ status: 404, headers: {}, body: (async function* () {})() });
const adviceOf = (operation: AnyOperation): Promise<string> =>
  callOver(notThere, operation, resolvedExample(operation.spec.example, Date.now()), { isEmulated: true }).then(
    () => "",
    (failure: Failure) => failure.detail.next,
  );

describe("every operation", () =>
  lawsOver(
    operations.filter(([, { spec }]) => spec.returns[404] === undefined),
    (law, tool, operation) => {
      law("names only tools that exist where something is not found", async () => {
        const advice = await adviceOf(operation);
        const named = advice.match(/\b[a-z][a-z0-9]*(_[a-z0-9]+)+\b/g) ?? [];
        expect(named.filter((name) => !names.has(name))).toEqual([]);
        expect(advice).not.toBe("");
        const ids = idsInPath(operation, operation.service?.operations ?? {});
        if (ids.length === 0) return;
        expect([tool, named.length > 0]).toEqual([tool, !unlisted.has(tool)]);
        if (unlisted.has(tool)) for (const { id } of ids) expect(advice).toContain(id);
      });
    },
  ));
