/** Which imported GETs only read: one that could change something is guarded, whatever its definition says of itself. */
import { expect, it } from "vitest";
import type { Parameter } from "../../src/definitions/definition.js";
import { importedEffectOf } from "../../src/definitions/effect.js";
import { promise } from "../lab/rules.js";

const unknown = "0".repeat(64);
const string = { shape: { type: "string" } };
const effectOfGet = (path: string, query: Readonly<Record<string, Parameter>> = {}) =>
  importedEffectOf({ route: `GET /toys/v1${path}`, query }, unknown);

const verbs =
  "flush terminate clear decommission suspend deploy publish rollback wipe reboot delete remove purge invalidate erase " +
  "destroy reset rotate revoke cancel abort kill disable deactivate activate lock block pause stop start restart execute " +
  "trigger approve reject send submit restore replace overwrite unlock enable upgrade unregister drop";

it(promise("verb-in-any-segment", "a GET whose path has a verb in any segment or spelling is guarded"), () => {
  const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const paths = verbs
    .split(" ")
    .flatMap((verb) => [
      `/toys/{id}/${verb}`,
      `/${verb}/{id}`,
      `/toys/${verb}/all`,
      `/toys/{id}/${verb}-cache`,
      `/toys/{id}/${verb}_toys`,
      `/toys/{id}/${verb}AllToys`,
      `/toys/{id}/bulk${capital(verb)}`,
      `/toys/{id}/URL${capital(verb)}`,
      `/toys/{id}/${verb.toUpperCase()}`,
      `/toys/{id}/${verb}all`,
      `/toys/{id}:${verb}`,
      `/toys/${verb}-purge-status`,
      `/toys?do=${verb}`,
    ]);
  expect(paths.filter((path) => effectOfGet(path) === "read")).toEqual([]);
  expect(paths.length).toBeGreaterThan(450);
});

it("guards a GET with an argument that can make it act", () => {
  const names =
    "force action activate forceDelete isForced delete purgeAll op do cmd command operation autoPublish shouldDelete " +
    "confirm bypassChecks overwrite immediate delete_all reset-all method httpMethod deleteById";
  expect(names.split(" ").filter((name) => effectOfGet("/toys", { [name]: string }) === "read")).toEqual([]);
  const flag = { shape: { type: "boolean" } };
  const mode = (...values: readonly string[]) => ({ mode: { shape: { type: "string", enum: values } } });
  expect([
    effectOfGet("/toys", { stop: flag }),
    effectOfGet("/toys", mode("list", "delete")),
    effectOfGet("/toys", mode("list", "DELETE_ALL")),
    effectOfGet("/toys", { modes: { shape: { type: "array", items: { enum: ["list", "wipe"] } } } }),
    effectOfGet("/toys?action=delete&force=true"),
    effectOfGet("/toys?view=all&force=true"),
    effectOfGet("/toys?method=PUT"),
  ]).toEqual(["overwrite", "overwrite", "overwrite", "overwrite", "delete", "overwrite", "overwrite"]);
});

it("takes nouns and filters that only look like verbs for reads", () => {
  const paths =
    "/deployments /activations /publishers /rollback-history /purge-status /purgeStatus /deletions /updates /clearances " +
    "/locks /blocks /blocked-users /starters /senders /resets /terminations /certificates/{id}/keys /access/roles " +
    "/credentials /tokens/{id} /toys/{id}/rollbackHistory /toys/activated /toys/last-updated /toys/{delete} /";
  expect(paths.split(" ").filter((path) => effectOfGet(path) !== "read")).toEqual([]);
  const names =
    "start end startDate stopTime updateDate publishedAfter deletedSince includeDeleted lastAction actions sort search page " +
    "limit offset expand debug status lockStatus createDate activeOnly subzoneGrant ignoreContext";
  expect(names.split(" ").filter((name) => effectOfGet("/toys", { [name]: string }) !== "read")).toEqual([]);
  expect(effectOfGet("/toys?view=full&sort=name")).toBe("read");
  expect(effectOfGet("/toys", { sortBy: { shape: { enum: ["updateDate", "name"] } } })).toBe("read");
});

it("trusts a reviewed route only in its own definition", () => {
  expect(importedEffectOf({ route: "POST /papi/v1/search/find-by-value" }, unknown)).toBe("overwrite");
  expect(importedEffectOf({ route: "GET /chinacdn/v1/current-provision-states" }, unknown)).toBe("overwrite");
});
