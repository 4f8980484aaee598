/** How many instances of a server a test over HTTP runs against: several, behind a proxy, in the project "instances". */
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    readonly instances: number;
  }
}

export const instanceCount: number = inject("instances");
