/** Built servers that share one scripted upstream, one for each set of flags, so that a test costs no process of its own. */
import { afterAll } from "vitest";
import { connect, type Session } from "../lab/session.js";
import { type Answer, startUpstream, type Upstream } from "./upstream.js";

export interface Scripted {
  readonly upstream: Upstream;
  /**
   * Gives the upstream its script for one test. What an earlier test left in the server, such as broken connections, is
   * part of what this one has to stand.
   */
  against(answer: Answer, flags?: readonly string[]): Promise<Session>;
}

/** The servers of one test file, each started with `common` and its own flags, and closed after the last test. */
export async function scripted(common: readonly string[] = []): Promise<Scripted> {
  const upstream = await startUpstream(() => undefined);
  const sessions = new Map<string, Promise<Session>>();
  afterAll(async () => {
    for (const session of sessions.values()) await (await session).close();
    await upstream.close();
  });
  return {
    upstream,
    async against(answer, flags = []) {
      upstream.script(answer);
      const key = flags.join(" ");
      const session =
        sessions.get(key) ?? connect("v2 2026 stdio", { flags: ["--upstream", upstream.url, ...common, ...flags] });
      sessions.set(key, session);
      return session;
    },
  };
}
