/** The SDK's client, version 2, when it is told to find out which revisions a server speaks. */
import { open as openSdk } from "./sdk-v2.mjs";

export const open = (target, ask) => openSdk(target, ask, { negotiates: true });
