/**
 * What the SDK takes of the platform it runs on, in the place of its own file for Node, which loads a JSON Schema library
 * that is a third of the SDK; that takes a fifth of the start of a session. The server sets that check aside by an option.
 */
export { default as process } from "node:process";

/** Of a browser only: there, a refused cross-origin request looks like an error of the network. */
export const CORS_IS_POSSIBLE = false;

/** Takes each value as it is; the server never asks it. */
export class DefaultJsonSchemaValidator {
  getValidator() {
    return <T>(value: T) => ({ valid: true as const, data: value, errorMessage: undefined });
  }
}
