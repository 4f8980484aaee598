/** What every client is asked to do, in order, and how it is told whether it did. */

/** Has the client do something; what a driver lacks comes back as the reason. */
export type Ask = (name: string, ...args: readonly unknown[]) => Promise<unknown>;

export interface Round {
  readonly ask: Ask;
  /** The names of all tools that the server lists. */
  readonly tools: readonly string[];
  /** The plan of the preview, once there is one. */
  plan?: string;
}

export interface Step {
  readonly title: string;
  /** What is asked, as the page says it. */
  readonly does: string;
  /** Whether the client tells the server that its user can be asked; the others say that nobody can. */
  readonly asksUser?: true;
  /** Undefined when it was done; otherwise what was seen instead. */
  readonly run: (round: Round) => Promise<string | undefined>;
}

const purge = {
  queueName: "default",
  body: { objects: ["https://www.example.com/spring/"], action: "invalidate", domain: "staging" },
};

/** What a caller is shown by a call, whether the client returns a failure or throws it. */
async function shownBy({ ask }: Round, tool: string, args: object): Promise<string> {
  try {
    return ((await ask("call", tool, args)) as { shown: string }).shown;
  } catch (error) {
    return (error as Error).message;
  }
}

const unless = (isDone: boolean, seen: string): string | undefined => (isDone ? undefined : seen);

export const steps = {
  list: {
    title: "lists",
    does: "lists the tools, and has all of them",
    run: async ({ ask, tools }) => {
      const listed = (await ask("list")) as readonly string[];
      const isWhole = listed.length === tools.length && tools.every((tool) => listed.includes(tool));
      return unless(isWhole, `${listed.length} of ${tools.length} tools`);
    },
  },
  read: {
    title: "reads",
    does: "calls a tool that reads, and shows what it returned",
    run: async (round) => {
      const shown = await shownBy(round, "purge_queue_get", { queueName: "default" });
      return unless(shown.includes("queueLength"), shown);
    },
  },
  error: {
    title: "shows errors",
    does: "makes a call that is refused, and shows what was wrong and what to do",
    run: async (round) => {
      const args = { contractId: "C-1FRYVV3", from: "2020-01-01" };
      const shown = await shownBy(round, "contract_product_summary_get", args);
      return unless(shown.includes("15 months") && shown.includes("from"), shown);
    },
  },
  preview: {
    title: "previews",
    does: "calls a guarded tool, and shows the preview and its plan id",
    run: async (round) => {
      const shown = await shownBy(round, "purge_submit", purge);
      const plan = /plan_[\w-]{10,}/.exec(shown)?.[0];
      if (plan !== undefined) round.plan = plan;
      return unless(plan !== undefined && shown.includes("Nothing was changed"), shown);
    },
  },
  confirm: {
    title: "confirms",
    does: "makes the same call with the plan id, and the change is made",
    run: async (round) => {
      if (round.plan === undefined) return "there was no plan to confirm";
      const shown = await shownBy(round, "purge_submit", { ...purge, confirm: round.plan });
      return unless(shown.includes("purgeId"), shown);
    },
  },
  ask: {
    title: "asks its user",
    does: "has the server ask the user (elicitation), who approves, and the change is made",
    asksUser: true,
    run: async (round) => {
      await round.ask("ask");
      const shown = await shownBy(round, "purge_submit", purge);
      const questions = await round.ask("questions");
      return unless(questions === 1 && shown.includes("purgeId"), `asked ${questions} times: ${shown}`);
    },
  },
  resource: {
    title: "reads resources",
    does: "reads the page of a tool",
    run: async ({ ask }) => {
      const text = String(await ask("read", "operation://purge_submit"));
      return unless(text.startsWith("# purge_submit"), text);
    },
  },
  prompt: {
    title: "gets prompts",
    does: "gets a prompt with an argument filled in",
    run: async ({ ask }) => {
      const text = String(await ask("prompt", "purge_safely", { what: "the spring campaign" }));
      return unless(text.includes("the spring campaign"), text);
    },
  },
  complete: {
    title: "completes",
    does: "completes the argument of a resource's address",
    run: async ({ ask }) => {
      const values = (await ask("complete", "operation://{tool}", "tool", "purge_s")) as readonly string[];
      return unless(values.includes("purge_submit"), JSON.stringify(values));
    },
  },
} as const satisfies Readonly<Record<string, Step>>;

export type StepName = keyof typeof steps;
export const stepNames = Object.keys(steps) as readonly StepName[];
