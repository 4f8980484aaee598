/** XML of the emulator read by a parser of the tests' own, in which every value is text. */
import { XMLParser } from "fast-xml-parser";

const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: true, ignoreDeclaration: true });

/** A document by the name of its root element; an element that is repeated is a list. */
export const treeOf = (text: string): Readonly<Record<string, unknown>> =>
  parser.parse(text) as Readonly<Record<string, unknown>>;
