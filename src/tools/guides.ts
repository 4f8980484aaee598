/** The guides and prompts of the services, each read only when it is asked for. */
import type { Guide } from "../language/guide.js";
import { lazily } from "../language/once-for.js";
import type { Prompt } from "../language/prompt.js";
import { services } from "./index.js";

const readers = new Map(
  Object.keys(services).map((service) => [
    service,
    {
      guide: lazily(async () => {
        const { filesOf, guideFrom } = await import("./guide-files.js");
        return guideFrom(filesOf("guide", service));
      }),
      prompt: lazily(async () => {
        const { filesOf, promptFrom } = await import("./guide-files.js");
        const files = filesOf("prompt", service);
        return files.length === 0 ? undefined : promptFrom(service, files);
      }),
    },
  ]),
);

/** The written part of a service's guide, by the service's name in the operations table; undefined for an unknown name. */
export const guideOf = async (service: string): Promise<Guide | undefined> => readers.get(service)?.guide();

/** The prompt of a service, by the service's name in the operations table; undefined if it has none. */
export const promptOf = async (service: string): Promise<Prompt | undefined> => readers.get(service)?.prompt();
