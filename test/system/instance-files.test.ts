/** A secret that one instance wrote to a file, named at another. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folder } from "../lab/files.js";
import { needs } from "../lab/needs.js";
import { promise } from "../lab/rules.js";
import { connect, contentOf, type Session, servedAt, startEmulator } from "../lab/session.js";
import { type Instances, startInstances } from "./instances.js";

describe("two instances with a secret directory each", needs.postgresServer, () => {
  let upstream: Awaited<ReturnType<typeof startEmulator>>;
  let instances: Instances;
  const directories = [0, 1].map(() => folder());
  const sessions: Session[] = [];
  beforeAll(async () => {
    upstream = await startEmulator();
    instances = await startInstances(0, { flags: ["--upstream", upstream.match] });
    for (const directory of directories) await instances.startOne(["--secret-dir", directory]);
  });
  afterAll(async () => {
    for (const session of sessions) await session.client.close().catch(() => undefined);
    await instances?.close();
    upstream?.child.kill("SIGKILL");
  });

  it("a start with a store prints no warning of Node or of the driver", () => {
    expect(instances.processes.map(({ stderr }) => stderr()).join("")).not.toMatch(/\(node:\d+\)|Warning:/);
  });

  const open = async (): Promise<Session> => {
    const session = await connect("v2 2026 http", { at: servedAt(instances.url, instances.token, upstream.match) });
    sessions.push(session);
    return session;
  };
  const filesAt = (at: number): string[] => {
    const own = join(directories[at] ?? "", "test");
    return existsSync(own) ? readdirSync(own) : [];
  };
  const textAt = (at: number): string =>
    readFileSync(join(directories[at] ?? "", "test", filesAt(at)[0] ?? ""), "utf8");
  /** Has an instance preview a change, and another one make it. */
  const changed = async (
    session: Session,
    tool: string,
    args: Record<string, unknown>,
    [shows, makes]: [number, number],
  ) => {
    instances.keepTo(shows);
    const { confirm } = await contentOf(session, tool, args);
    expect(confirm).toMatch(/^plan_/);
    instances.keepTo(makes);
    return { confirm, outcome: await contentOf(session, tool, { ...args, confirm }) };
  };
  const reset = { uiIdentityId: "A-B-100003" };
  const setWith = (newPasswordFile: string | undefined) => ({ uiIdentityId: "A-B-100004", newPasswordFile });

  it(promise("secret-file-stays", "an instance names the one that has a secret file"), async () => {
    const session = await open();
    const first = await changed(session, "user_password_reset", reset, [0, 0]);
    expect(first.outcome).toMatchObject({ status: 200 });
    const [name] = filesAt(0);
    const secret = textAt(0);
    // Previewed by the one that has the file, and confirmed at the other.
    const { confirm, outcome } = await changed(session, "user_password_set", setWith(name), [0, 1]);
    const { origin } = new URL(instances.processes[0]?.match ?? "");
    expect(outcome).toMatchObject({ error: "not_found", message: expect.stringContaining(`, ${origin}/.`) });
    expect([filesAt(0), filesAt(1)]).toEqual([[name], []]);
    const rows = await instances.postgres.query(
      instances.shared[1] ?? "",
      `select taken, sending from edgewise.plans where id = '${String(confirm)}'`,
    );
    expect(rows).toEqual([{ taken: null, sending: null }]);
    const kept = await instances.postgres.query(
      instances.shared[1] ?? "",
      "select to_json(one)::text as text from edgewise.secret_files one union all select line from edgewise.audit_lines union all select to_json(plan)::text from edgewise.plans plan",
    );
    for (const text of [
      ...kept.map((row) => String(row["text"])),
      JSON.stringify(outcome),
      ...instances.processes.map((one) => one.stderr()),
    ])
      expect(text).not.toContain(secret);
    // The plan is still open where the file is.
    instances.keepTo(0);
    expect(await contentOf(session, "user_password_set", { ...setWith(name), confirm })).toMatchObject({ status: 204 });
  });
});
