/** The table of all commands: description, usage, and the module to load when it runs. */
import {
  type CommandEntry,
  type CommandFlag,
  callFlags,
  type Positional,
  preview,
  resultFlags,
  ticketFlag,
} from "./command.js";

const json: CommandFlag = { about: "Write JSON." };
const tool: Positional = { name: "TOOL", about: "The name of a tool; `edgewise search` finds it.", kind: "tool" };

/** Settings for the account and the destination of calls. */
const upstream = ["edgerc", "section", "account-switch-key", "profile", "emulator"] as const;
/** Settings for the offered tools. */
const offered = ["services", "tools", "exclude-tools", "read-only"] as const;
const whoseTokens: Readonly<Record<string, CommandFlag>> = {
  "--subject": { takes: "NAME", about: "All tokens of a person or program." },
  "--client": { takes: "ID", about: "All tokens that were issued to an OAuth client." },
  "--jti": { takes: "ID", about: "The token with this claim jti." },
};
const auditPath: Positional = {
  name: "PATH",
  isOptional: true,
  about: "A directory of audit files other than the one in the state directory.",
};

export const commands: Readonly<Record<string, CommandEntry>> = {
  stdio: {
    load: async () => (await import("./stdio.js")).stdioCommand,
    does: "serve MCP over stdin and stdout; this is the default command",
    more: "A client starts it and speaks JSON-RPC with it. `edgewise setup CLIENT` writes the client's configuration.",
    settings: ["surface", ...offered, "approval", "policy", "profiles", ...upstream],
    examples: ["stdio --surface core", "--read-only --section prod"],
  },
  http: {
    load: async () => (await import("./http.js")).httpCommand,
    does: "serve MCP over HTTP at /mcp",
    more: "Clients can only read unless the server is started with --allow-writes, and with --token-file or --oauth-issuer.",
    settings: [
      ...(["host", "port", "token-file", "oauth-issuer", "oauth-resource", "allow-writes"] as const),
      ...(["approver-token-file", "desk-client-id", "allowed-hosts"] as const),
      ...(["metrics-address", "log", "drain-seconds", "surface", "approval", "policy"] as const),
    ],
    examples: ["http", "http --port 8080 --token-file tokens.txt --allow-writes"],
  },
  emulator: {
    load: async () => (await import("./emulator.js")).emulatorCommand,
    does: "serve the embedded emulator of the API to other programs",
    more: "It prints its address, and credentials that work only there.",
    settings: ["host", "port", "emulator-seed", "emulator-clock", "token-file"],
    examples: ["emulator --port 4010"],
  },
  search: {
    load: async () => (await import("./search.js")).searchCommand,
    does: "search tools by what they do",
    more: "The best matches come first. It also finds report types and resources.",
    positionals: [
      {
        name: "WORDS",
        isRepeated: true,
        about: "A task in a few words of English, such as: clear the cache of a page",
      },
    ],
    flags: {
      "--limit": { takes: "N", about: "Show at most this many tools, 1 to 100. The default is 10." },
      "--json": json,
    },
    settings: offered,
    examples: ["search clear the cache of a page", "search 'who changed a property' --limit 3"],
    failsWhen: "nothing was found",
  },
  operations: {
    load: async () => (await import("./operations.js")).operationsCommand,
    does: "list the tools and what each does",
    more: "Its columns are the tool, its effect (read, launch, create, update, or guarded, which previews and asks first), and what it does. As JSON it lists the API operations that the tools cover, with method, path and guard.",
    positionals: [
      {
        name: "WORDS",
        isRepeated: true,
        isOptional: true,
        about: "List only what has all of these words in its name, service, path or description.",
      },
    ],
    flags: { "--json": json },
    settings: offered,
    examples: ["operations", "operations dns", "operations --read-only --services purge,dns", "operations --json"],
    failsWhen: "nothing has all the words",
  },
  call: {
    load: async () => (await import("./call.js")).callCommand,
    does: "make one call, and print its result",
    more: "`edgewise call TOOL --help` lists the arguments of a tool, with an example. A guarded tool shows a preview and asks at a terminal before anything is changed.",
    positionals: [
      tool,
      {
        name: "ARGUMENTS",
        isOptional: true,
        about:
          "Flags, --name VALUE each; one word of JSON; or - for JSON from stdin. Nested fields are written with a dot (--body.type arl), lists by repeating the flag.",
        kind: "arguments",
      },
    ],
    flags: callFlags,
    settings: [...upstream, "approval", "policy", "read-only", "max-result-tokens"],
    examples: [
      "call purge_queue_get --queueName default",
      "call report_types_list --output csv",
      `call purge_status '{"purgeId": "6374e1c2-a8d6-11f1-6e99-66b175f80000"}'`,
    ],
    failsWhen: "the call failed, was refused, or was not approved",
  },
  api: {
    load: async () => (await import("./api.js")).apiCommand,
    does: "read a path of the API, also one that no tool covers",
    more: "It only reads, and only on the host of the credentials. If a tool covers the path, the call is one of that tool, which a note names; otherwise the policy and the audit know it as api_get.",
    positionals: [
      { name: "GET", about: "The method, which is always GET.", kind: ["GET"] },
      { name: "PATH", about: "The path with the values of its keys, and without a query." },
    ],
    flags: {
      "--query": {
        takes: "NAME=VALUE",
        about: "An argument of the query. Repeat the flag for each, and for each value of a list.",
      },
      ...resultFlags,
    },
    settings: [...upstream, "policy", "imported", "max-result-tokens"],
    examples: [
      "api GET /contract-api/v1/contracts/identifiers --query depth=ALL",
      "api GET /edgeworkers/v1/ids --to ids.csv",
    ],
    failsWhen: "the call failed or was refused",
  },
  show: {
    load: async () => (await import("./show.js")).showCommand,
    does: "read a resource, or list the resources",
    positionals: [
      {
        name: "ADDRESS",
        isOptional: true,
        about: "The URI of a resource, such as operation://TOOL. Without one, the resources are listed.",
        kind: "address",
      },
    ],
    settings: [...upstream, ...offered],
    examples: ["show", "show operation://purge_submit", "show guide://dns"],
    failsWhen: "there is no such resource, or it could not be read",
  },
  completion: {
    load: async () => (await import("./completion.js")).completionCommand,
    does: "print the script that completes commands, tools and arguments in a shell",
    positionals: [{ name: "SHELL", about: "The shell: bash, zsh or fish.", kind: ["bash", "zsh", "fish"] }],
    examples: ["completion bash", "completion zsh", "completion fish"],
  },
  approve: {
    load: async () => (await import("./plans.js")).approveCommand,
    does: "approve or refuse a plan that waits for a person, at a terminal",
    more: "It shows the preview and asks. For a critical change, the target has to be typed.",
    positionals: [{ name: "PLAN", about: "The id of a plan; `edgewise plans` lists them." }],
    flags: {
      "--refuse": { about: "Refuse the plan permanently, without a question." },
      "--reason": {
        takes: "TEXT",
        about: "Why, for the record and for those who read the plan later. A plan that breaks a freeze needs it.",
      },
      "--preview": preview,
    },
    settings: ["state-dir"],
    examples: ["approve plan_X2DVdvRSBDSgMXa04xMFzA", "approve plan_X2DVdvRSBDSgMXa04xMFzA --refuse"],
    failsWhen: "the plan was not approved, or no longer waits",
  },
  plans: {
    load: async () => (await import("./plans.js")).plansCommand,
    does: "list the stored plans with their status",
    flags: { "--json": json },
    settings: ["state-dir"],
    examples: ["plans", "plans --json"],
  },
  "stop-writes": {
    load: async () => (await import("./stop-writes.js")).stopWritesCommand,
    does: "stop all changes at once, in every server with this state",
    more: "Every refused call shows the reason. Reads go on, and a batch that is in progress stops before its next call.",
    flags: { "--reason": { takes: "TEXT", about: "Why, for everyone whose call is refused." } },
    settings: ["state-dir", "store", "store-key-file"],
    examples: ["stop-writes --reason 'incident 4711, no changes until further notice'"],
    failsWhen: "changes were already stopped",
  },
  "resume-writes": {
    load: async () => (await import("./stop-writes.js")).resumeWritesCommand,
    does: "let changes through again",
    settings: ["state-dir", "store", "store-key-file"],
    examples: ["resume-writes"],
    failsWhen: "changes were not stopped",
  },
  tokens: {
    load: async () => (await import("./tokens.js")).tokensCommand,
    does: "deny tokens of HTTP clients at once, in every server with this state",
    actions: {
      deny: {
        does: "refuse the tokens of a subject or a client, or one token, from now on",
        more: "The subject of a token of --token-file is its name.",
        flags: {
          ...whoseTokens,
          "--until": { takes: "TIME", about: "Accept them again at this time (ISO 8601); otherwise when allowed." },
        },
        settings: ["state-dir", "store", "store-key-file"],
        examples: ["tokens deny --subject ann", "tokens deny --jti 6374e1c2 --until 2030-05-01T12:00:00Z"],
      },
      allow: {
        does: "accept them again",
        flags: whoseTokens,
        settings: ["state-dir", "store", "store-key-file"],
        examples: ["tokens allow --subject ann"],
        failsWhen: "they were not denied",
      },
      list: {
        does: "list the tokens that are denied",
        flags: { "--json": json },
        settings: ["state-dir", "store", "store-key-file"],
        examples: ["tokens list"],
      },
    },
  },
  policy: {
    load: async () => (await import("./policy.js")).policyCommand,
    does: "try out a policy file",
    actions: {
      check: {
        does: "report the policy's decision on a call and its rule, without sending it",
        positionals: [
          tool,
          { name: "ARGUMENTS", isOptional: true, about: "The arguments of the call as one word of JSON." },
        ],
        flags: {
          "--as": { takes: "SUBJECT", about: "Who calls: the subject of a token, or the name of a token." },
          "--groups": { takes: "NAMES", about: "The groups of the subject, separated by commas." },
          "--client": { takes: "ID", about: "The OAuth client of the token." },
          "--ticket": ticketFlag,
          "--json": json,
        },
        settings: ["policy", ...offered, "section", "profile"],
        examples: [
          "policy check purge_queue_get",
          "policy check purge_queue_get --as alice@example.com --groups staff,dns-admins",
          `policy check purge_submit '{"queueName":"default","body":{"objects":["https://www.example.com/"]}}'`,
        ],
        failsWhen: "the call would be denied",
      },
    },
  },
  audit: {
    load: async () => (await import("./audit.js")).auditCommand,
    does: "show and verify the audit log",
    actions: {
      verify: {
        does: "check that no audit line was changed or removed",
        more: "Without --head it cannot detect that the newest lines were removed.",
        positionals: [{ ...auditPath, about: `${auditPath.about} It may be one file.` }],
        flags: {
          "--head": { takes: "FILE", about: "The earlier output of `edgewise audit head`; - reads it from stdin." },
        },
        settings: ["state-dir"],
        examples: ["audit verify", "audit verify --head edgewise-head.json"],
        failsWhen: "lines were changed or removed",
      },
      head: {
        does: "print the head of the audit log, to be stored elsewhere",
        more: "Store it out of reach of anyone who can write to the state directory; `edgewise audit verify --head` compares.",
        positionals: [auditPath],
        settings: ["state-dir"],
        examples: ["audit head"],
        failsWhen: "the audit log is broken",
      },
      show: {
        does: "list the recorded calls",
        flags: {
          "--tool": { takes: "NAME", about: "List only the calls of this tool." },
          "--since": { takes: "TIME", about: "List only the calls since this time (ISO 8601)." },
          "--json": { about: "Write the audit lines unchanged, one JSON object per line." },
        },
        settings: ["state-dir"],
        examples: ["audit show", "audit show --tool purge_submit --since 2026-05-01T12:00:00Z"],
      },
    },
  },
  import: {
    load: async () => (await import("./import.js")).importCommand,
    does: "compile OpenAPI definitions, so that their operations can be found and called",
    more: "Every change of an imported operation previews first. An import that changes what is known is shown, and takes over only with its digest.",
    positionals: [
      { name: "PATH", isRepeated: true, about: "A folder of definitions, or a file: OpenAPI 3, JSON or YAML." },
    ],
    flags: {
      "--digest": {
        takes: "SHA256",
        about: "Import only if the definitions have this digest, which the command prints.",
      },
      "--with-descriptions": { about: "Keep the title of each operation, which is then shown quoted." },
    },
    settings: ["imports-dir", "imported"],
    examples: ["import definitions/", "import openapi.json --digest 5f2c…"],
    failsWhen: "an import waits for its digest to be confirmed",
  },
  imports: {
    load: async () => (await import("./import.js")).importsCommand,
    does: "list, refresh and remove imported definitions",
    actions: {
      list: {
        does: "list the imported APIs",
        settings: ["imports-dir"],
        examples: ["imports list"],
      },
      refresh: {
        does: "import again from where the definitions came from",
        flags: {
          "--digest": { takes: "SHA256", about: "Take over what changed, if the definitions have this digest." },
        },
        settings: ["imports-dir"],
        examples: ["imports refresh"],
        failsWhen: "the import changes something and waits for its digest to be confirmed",
      },
      remove: {
        does: "remove an imported API; what is in the box takes its place",
        positionals: [{ name: "API", about: "The name of the API, as `edgewise imports list` shows it." }],
        settings: ["imports-dir"],
        examples: ["imports remove gtm"],
      },
    },
  },
  setup: {
    load: async () => (await import("./setup.js")).setupCommand,
    does: "print a client's configuration, or merge it into the client's file",
    more: "The settings on the line become part of the configuration.",
    positionals: [{ name: "CLIENT", about: "The client; `edgewise setup` names them all.", kind: "client" }],
    flags: {
      "--write": { about: "Merge it into the client's file, and save a copy of the previous file." },
      "--fresh": { about: "With --write: drop the flags of an existing entry." },
    },
    settings: ["surface", "section", "edgerc", "read-only"],
    examples: ["setup claude-code", "setup vscode --write --section prod"],
  },
  profiles: {
    load: async () => (await import("./profiles.js")).profilesCommand,
    does: "list the configured profiles and their rights",
    flags: { "--json": json },
    settings: ["config", "profiles", "profile", ...offered],
    examples: ["profiles --profiles prod,staging"],
  },
  config: {
    load: async () => (await import("./config.js")).configCommand,
    does: "list the settings, each with its value and where it comes from",
    more: "Its sources are flags, EDGEWISE_* variables and defaults; the credentials have a file or AKAMAI_* variables. Secrets are masked.",
    flags: { "--json": json },
    settings: [...upstream, "state-dir"],
    examples: ["config", "config --section prod --json"],
  },
  doctor: {
    load: async () => (await import("./doctor.js")).doctorCommand,
    does: "check the installation, credentials, grants, safeguards and clients, and report what to fix",
    flags: {
      "--json": json,
      "--live": {
        about:
          "Only read once from each API, and report what the credential may do and which responses differ; no account is named.",
      },
      "--account": {
        takes: "NAME",
        about:
          "Only find the accounts to which the credential can switch, by a part of the name, with their switch keys.",
      },
    },
    settings: [...upstream, "profiles", "upstream"],
    examples: ["doctor", "doctor --section prod", "doctor --live", "doctor --account Nordic"],
    failsWhen: "a check found a problem",
  },
  demo: {
    load: async () => (await import("./demo.js")).demoCommand,
    does: "a tour on the emulator: a report, an incident, a purge, a zone",
    examples: ["demo"],
  },
};
