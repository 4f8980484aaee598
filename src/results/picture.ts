/** Pictures beside an answer: an image for those who see images, and its drawing, kept as a document of its own type. */

/** A text that is kept as it is, and read under its own media type instead of as JSON. */
export class TextDocument {
  readonly mimeType: string;
  readonly text: string;
  constructor(mimeType: string, text: string) {
    this.mimeType = mimeType;
    this.text = text;
  }
}

/** A picture: its drawing as SVG, the same as PNG where it could be made, and in characters. */
export interface Picture {
  /** What it is, for the sentence that says where the drawing can be read: `chart`. */
  readonly what: string;
  readonly svg: string;
  readonly png?: Uint8Array | undefined;
  /** The same in characters, in lines for a terminal of so many columns. */
  inBlocks(columns: number): readonly string[];
}

/** An image in the protocol's form. */
export type ImageContent = { type: "image"; data: string; mimeType: string };

export const imagesOf = (pictures: readonly Picture[]): ImageContent[] =>
  pictures.flatMap(({ png }) =>
    png === undefined
      ? []
      : [{ type: "image" as const, data: Buffer.from(png).toString("base64"), mimeType: "image/png" }],
  );

/** Where each drawing is, if it was kept. */
export const notesOfPictures = (
  pictures: readonly Picture[],
  keep: ((document: TextDocument) => string | undefined) | undefined,
): string[] =>
  pictures.flatMap(({ what, svg }) => {
    const handle = keep?.(new TextDocument("image/svg+xml", svg));
    return handle === undefined ? [] : [`The ${what} as SVG can be read at result://${handle}.`];
  });
