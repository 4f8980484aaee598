import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { decodeJwt } from "jose";
import { folder } from "../../lab/files.js";
import { bareEnvironment, startProcess } from "../../lab/session.js";
import type { Authority } from "./authority.js";
import { signIn } from "./browser.js";

export interface Served {
  readonly url: URL;
  readonly stateDir: string;
  stderr(): string;
  stop(): Promise<void>;
}

/** Starts the built server, which takes the tokens of an identity provider. */
export async function serveFor({ issuer }: Authority, flags: readonly string[] = []): Promise<Served> {
  const stateDir = folder();
  const words = ["http", "--port", "0", "--oauth-issuer", issuer, "--state-dir", stateDir, "--allow-writes", ...flags];
  const { child, match, stderr } = await startProcess(words, bareEnvironment(), /serving MCP at (\S+)/);
  return {
    url: new URL(match),
    stateDir,
    stderr,
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
    },
  };
}

const redirectUrl = "http://127.0.0.1:3999/callback";

/** What a client of the SDK keeps of one person's sign-in; its browser signs in whoever is at the provider. */
export class Wallet implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    redirect_uris: [redirectUrl],
    client_name: "test",
    application_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
  /** The scopes of each sign-in that was asked for. */
  readonly asked: string[] = [];
  kept: OAuthTokens | undefined;
  response: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #verifier = "";

  /** When the access token expires, as it says itself. */
  expiresAtMs(): number {
    return (decodeJwt(this.kept?.access_token ?? "").exp ?? 0) * 1000;
  }

  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed): void => {
    this.#client = client;
  };
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens): void => {
    this.kept = tokens;
  };
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  async redirectToAuthorization(url: URL): Promise<void> {
    this.asked.push(url.searchParams.get("scope") ?? "");
    this.response = await signIn(url, ({ href }) => href.startsWith(redirectUrl));
  }
}

export type Era = "2025" | "2026";

const transportOf = (url: URL, wallet: Wallet): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(url, { authProvider: wallet });

/** Takes what the provider has sent the browser back with, as the page at the redirect URL does. */
async function redeem(transport: StreamableHTTPClientTransport, { response }: Wallet): Promise<void> {
  if (response === undefined) throw new Error("There was no sign-in.");
  await transport.finishAuth(response.searchParams);
}

export interface SignedIn {
  readonly client: Client;
  readonly wallet: Wallet;
  /** The id of the session, which only the earlier era has. */
  sessionId(): string | undefined;
  /** Calls a tool; if that leads to a sign-in, once more after it. */
  call(name: string, args?: Record<string, unknown>): Promise<{ readonly isError?: boolean; readonly text: string }>;
  close(): Promise<void>;
}

/** Connects a client, which signs in when the server asks for it. */
export async function connectAs(url: URL, era: Era, wallet = new Wallet()): Promise<SignedIn> {
  const options =
    era === "2026"
      ? { versionNegotiation: { mode: { pin: "2026-07-28" } } }
      : { versionNegotiation: { mode: "legacy" } };
  const connected = async () => {
    const transport = transportOf(url, wallet);
    const client = new Client({ name: "test", version: "1" }, options as never);
    try {
      await client.connect(transport);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await redeem(transport, wallet);
      return undefined;
    }
    return { client, transport };
  };
  const open = (await connected()) ?? (await connected());
  if (open === undefined) throw new Error("The server has asked for a second sign-in.");
  const { client, transport } = open;
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = (await client.callTool({ name, arguments: args })) as {
      readonly isError?: boolean;
      readonly content: readonly { readonly text: string }[];
    };
    const text = result.content.map((one) => one.text).join("\n");
    return { text, ...(result.isError === undefined ? {} : { isError: result.isError }) };
  };
  return {
    client,
    wallet,
    sessionId: () => transport.sessionId,
    async call(name, args) {
      try {
        return await call(name, args);
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error;
        await redeem(transport, wallet);
        return call(name, args);
      }
    },
    close: () => client.close(),
  };
}
