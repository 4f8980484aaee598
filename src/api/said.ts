/** The words that people use for a service and for what it does: the search finds by them, and no list shows them. */
import type { Service } from "./service.js";

/** Phrases separated by semicolons: tasks in plain words, in slang, and goals. */
export type Phrases = string;

/** What people say for each thing of a service; one that the service does not have is refused, and none may lack. */
export interface Said<S extends Service> {
  /** What people call the service as a whole, and what they have it for. */
  readonly service: Phrases;
  readonly operations: Readonly<Record<keyof S["operations"], Phrases>>;
  /** By the names of its resources. */
  readonly resources?: Readonly<Record<string, Phrases>>;
}
