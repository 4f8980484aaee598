/** The objects that the official conformance suite asks a server for by name; they exist in its tests only. */
import { setTimeout as wait } from "node:timers/promises";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "../../../src/language/z.js";
import data from "./fixture.json" with { type: "json" };

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const nameForm = data.forms.test_streaming_elicitation;
const okForm = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
const colorForm = { type: "object", properties: { color: { type: "string" } }, required: ["color"] };
const contextForm = { type: "object", properties: { context: { type: "string" } }, required: ["context"] };
const regionSchema = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } };

export const fixtureState = createRequestStateCodec<{ readonly step: number }>({
  key: new Uint8Array(32).fill(7),
  ttlSeconds: 600,
});

type Elicited = Parameters<typeof inputRequired.elicit>[0];
const elicit = (message: string, requestedSchema: object) =>
  inputRequired.elicit({ message, requestedSchema } as Elicited);
const sample = (words: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: words } }], maxTokens });
const answered = (ctx: ServerContext, key: string): Record<string, unknown> | undefined =>
  acceptedContent(ctx.mcpReq.inputResponses, key);
const hasAnswer = (ctx: ServerContext, key: string): boolean => ctx.mcpReq.inputResponses?.[key] !== undefined;

function registerContent(server: McpServer): void {
  const tool = (name: string, run: (ctx: ServerContext) => unknown) =>
    server.registerTool(name, { description: `Conformance: ${name}` }, ((ctx: ServerContext) => run(ctx)) as never);
  for (const [name, result] of Object.entries(data.results)) tool(name, () => result);
  tool("test_tool_with_progress", async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      await wait(50);
    }
    return text("done");
  });
  const logging = async (ctx: ServerContext) => {
    for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await ctx.mcpReq.log("info", message);
      await wait(50);
    }
    return text("done");
  };
  tool("test_tool_with_logging", logging);
  tool("test_logging_tool", logging);
}

function registerAsking(server: McpServer): void {
  const described = (name: string) => ({ description: `Conformance: ${name}` });
  server.registerTool(
    "test_sampling",
    { ...described("sampling"), inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      if (!hasAnswer(ctx, "sampled")) return inputRequired({ inputRequests: { sampled: sample(prompt, 100) } });
      return text(`LLM response: ${JSON.stringify(ctx.mcpReq.inputResponses?.["sampled"])}`);
    },
  );
  const asking = (name: string, form: object, inputSchema?: z.ZodObject) =>
    server.registerTool(name, { ...described(name), ...(inputSchema ? { inputSchema } : {}) }, (async (
      ...values: unknown[]
    ) => {
      const ctx = values.at(-1) as ServerContext;
      const message = (values[0] as { message?: string }).message ?? "Please fill in the form";
      const view = inputResponse(ctx.mcpReq.inputResponses, "asked");
      if (view.kind !== "elicit") return inputRequired({ inputRequests: { asked: elicit(message, form) } });
      return text(
        `Elicitation completed: action=${view.action}, content=${JSON.stringify(view.action === "accept" ? view.content : {})}`,
      );
    }) as never);
  for (const [name, form] of Object.entries(data.forms))
    asking(name, form, name === "test_elicitation" ? z.object({ message: z.string() }) : undefined);
  server.registerTool("test_missing_capability", described("missing capability"), async () =>
    inputRequired({ inputRequests: { sampled: sample("anything", 10) } }),
  );
}

function registerRounds(server: McpServer): void {
  const tool = (name: string, run: (ctx: ServerContext) => Promise<unknown>) =>
    server.registerTool(
      `test_input_required_result_${name}`,
      { description: `Conformance: input required, ${name}` },
      ((ctx: ServerContext) => run(ctx)) as never,
    );
  const askName = elicit("What is your name?", nameForm);
  tool("elicitation", async (ctx) => {
    const name = answered(ctx, "user_name")?.["name"];
    return typeof name === "string"
      ? text(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: askName } });
  });
  tool("sampling", async (ctx) =>
    hasAnswer(ctx, "capital_question")
      ? text(JSON.stringify(ctx.mcpReq.inputResponses?.["capital_question"]))
      : inputRequired({ inputRequests: { capital_question: sample("What is the capital of France?", 100) } }),
  );
  tool("list_roots", async (ctx) =>
    hasAnswer(ctx, "client_roots")
      ? text(JSON.stringify(ctx.mcpReq.inputResponses?.["client_roots"]))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  );
  const confirm = elicit("Please confirm", okForm);
  for (const name of ["request_state", "tampered_state"])
    tool(name, async (ctx) => {
      const state = ctx.mcpReq.requestState<{ step: number }>();
      if (state?.step === 1 && hasAnswer(ctx, "confirm")) return text("state-ok");
      return inputRequired({ inputRequests: { confirm }, requestState: await fixtureState.mint({ step: 1 }, ctx) });
    });
  tool("multiple_inputs", async (ctx) => {
    const keys = ["user_name", "greeting", "client_roots"];
    if (keys.every((key) => hasAnswer(ctx, key))) return text("all inputs arrived");
    return inputRequired({
      inputRequests: {
        user_name: askName,
        greeting: sample("Generate a greeting", 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await fixtureState.mint({ step: 1 }, ctx),
    });
  });
  tool("multi_round", async (ctx) => {
    const step = ctx.mcpReq.requestState<{ step: number }>()?.step ?? 0;
    if (step === 2 && hasAnswer(ctx, "step2")) return text("both steps done");
    if (step === 1 && hasAnswer(ctx, "step1"))
      return inputRequired({
        inputRequests: { step2: elicit("Step 2: What is your favorite color?", colorForm) },
        requestState: await fixtureState.mint({ step: 2 }, ctx),
      });
    return inputRequired({
      inputRequests: { step1: elicit("Step 1: What is your name?", nameForm) },
      requestState: await fixtureState.mint({ step: 1 }, ctx),
    });
  });
  tool("capabilities", async (ctx) => {
    const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const capabilities = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as {
      elicitation?: object;
      sampling?: object;
    };
    const inputRequests = {
      ...(capabilities.elicitation ? { user_name: askName } : {}),
      ...(capabilities.sampling ? { greeting: sample("Generate a greeting", 50) } : {}),
    };
    if (Object.keys(inputRequests).length === 0 || ctx.mcpReq.inputResponses) return text("done");
    return inputRequired({ inputRequests });
  });
}

function registerSchemas(server: McpServer): void {
  for (const [name, description, schema] of [
    ["json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", data.schema],
    ["test_x_mcp_header", "Conformance: an argument mirrored in a header", { ...regionSchema, required: ["region"] }],
  ] as const)
    server.registerTool(name, { description, inputSchema: fromJsonSchema(schema as never) }, async () =>
      text("accepted"),
    );
}

function registerReading(server: McpServer): void {
  const titled = (name: string) => ({ title: name, description: `Conformance: ${name}` });
  for (const [name, content] of Object.entries(data.resources))
    server.registerResource(name, content.uri, { ...titled(name), mimeType: content.mimeType }, async () => ({
      contents: [content] as never,
    }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource(
    "template",
    template,
    { ...titled("template"), mimeType: "application/json" },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  const said = (words: string) => ({ role: "user" as const, content: { type: "text" as const, text: words } });
  for (const [name, messages] of Object.entries(data.prompts))
    server.registerPrompt(name, titled(name), async () => ({ messages: messages as never }));
  const choices = (value: string) => ["test", "park", "party"].filter((word) => word.startsWith(value));
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      ...titled("prompt with arguments"),
      argsSchema: z.object({ arg1: completable(z.string(), choices), arg2: z.string() }),
    },
    async ({ arg1, arg2 }) => ({ messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { ...titled("prompt with a resource"), argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) => ({
      messages: [
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
          },
        },
        said("Please process the embedded resource above."),
      ],
    }),
  );
  server.registerPrompt("test_input_required_result_prompt", titled("prompt that asks"), (async (
    ctx: ServerContext,
  ) => {
    const context = answered(ctx, "user_context")?.["context"];
    if (typeof context === "string") return { messages: [said(context)] };
    return inputRequired({
      inputRequests: {
        user_context: elicit("What context should the prompt use?", contextForm),
      },
    });
  }) as never);
}

/** Registers everything that the suite asks for. */
export function registerFixture(server: McpServer): void {
  registerContent(server);
  registerAsking(server);
  registerRounds(server);
  registerSchemas(server);
  registerReading(server);
}
