/** Who wrote something is the user whose credentials sign the requests, in every service that says who. */
import { expect, it } from "vitest";
import { readerOf } from "../../src/language/effect.js";
import { holdsForEach } from "../lab/laws.js";
import { apis } from "../lab/project.js";
import { answersBefore, leavesOf } from "./creations.js";
import { begin, exampleOf, isRead, operationOf, operations } from "./examples.js";

const isAuthor = (path: string): boolean => /(edit|created|modified|updated|activated|submitted)by(user)?$/i.test(path);
/** The authors in an answer, with how often each is named. */
function authorsIn(answer: unknown): ReadonlyMap<string, number> {
  const named = leavesOf(answer).filter(([path]) => isAuthor(path));
  return new Map(named.map(([, author]) => [String(author), named.filter(([, other]) => other === author).length]));
}

const before = await answersBefore();
const profile = before.get("user_profile_get") as { readonly uiUserName: string };
const users = before.get("users_list") as readonly { readonly uiUserName: string }[];
const showing = [...before].filter(([, answer]) => authorsIn(answer).size > 0).map(([tool]) => tool);

it("every author in the initial world is a user of the account", () => {
  const known = users.map(({ uiUserName }) => uiUserName);
  const services = {
    documents:
      "alert_definition_get event_get property_versions_list edgelogic_policy_get user_group_get user_role_get",
    today: "event_get property_versions_list include_versions_list sharedpolicy_get dns_zones_list user_group_get",
  }[apis];
  expect(showing).toEqual(expect.arrayContaining(services.split(" ")));
  for (const tool of showing)
    expect([tool, known]).toEqual([tool, expect.arrayContaining([...authorsIn(before.get(tool)).keys()])]);
});

const serviceOf = (tool: string) => operationOf(tool).service?.title;
const writes = [...operations.keys()].filter(
  (tool) => !isRead(operationOf(tool)) && !operationOf(tool).route.startsWith("HEAD "),
);

/** Those who are named, after a write, in its answer and in the answers of some reads, but for the user in use. */
async function othersAfter(write: string, reads: readonly string[]): Promise<readonly string[]> {
  const { world, call } = begin();
  const answers = [(await call(write, exampleOf(write))).body];
  world.advance(15 * 60_000);
  for (const read of reads) answers.push((await call(read, exampleOf(read))).body);
  return answers.flatMap((answer) => [...authorsIn(answer).keys()]).filter((author) => author !== profile.uiUserName);
}

// Each write stores who made it by itself.
it("every write's answer and read show the user in use as its author", () =>
  holdsForEach(writes, async (tool) => {
    const reader = readerOf(operationOf(tool))?.by;
    expect(
      await othersAfter(
        tool,
        showing.filter((read) => read === reader),
      ),
    ).toEqual([]);
  }));

it("a write of each service shows the user in use in every service", () => {
  const firsts = new Map(writes.toReversed().map((tool) => [serviceOf(tool), tool]));
  return holdsForEach(firsts.values(), async (tool) => {
    expect(await othersAfter(tool, showing)).toEqual([]);
  });
});
