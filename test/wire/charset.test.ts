/** A response in another character encoding than UTF-8 is read as it was meant, or noted. */
import { expect, it } from "vitest";
import { notesOnText, transcodeToUtf8 } from "../../src/wire/charset.js";

const read = async (type: string, ...parts: readonly Buffer[]) => {
  const headers = { "content-type": type };
  const response = transcodeToUtf8({ status: 200, headers, body: ReadableStream.from(parts) });
  const received: Uint8Array[] = [];
  for await (const part of response.body) received.push(part);
  const bytes = Buffer.concat(received);
  return [bytes.toString(), ...notesOnText(response, bytes)];
};

it("a body is decoded by its declared encoding, also across parts", async () => {
  const [latin, wide] = [Buffer.from("Gr\u00fc\u00dfe", "latin1"), Buffer.from("Gr\u00fc\u00dfe", "utf16le")];
  expect(await read("application/json;charset=ISO-8859-1", latin)).toEqual(["Gr\u00fc\u00dfe"]);
  const cut = (bytes: Buffer, at: number) => [bytes.subarray(0, at), bytes.subarray(at)];
  expect(await read('text/csv; header=present; Charset="windows-1252"', ...cut(latin, 2))).toEqual(["Gr\u00fc\u00dfe"]);
  expect(await read("text/plain; charset=utf-16le", ...cut(wide, 5))).toEqual(["Gr\u00fc\u00dfe"]);
  for (const type of ["application/json", "application/json; charset=UTF-8"])
    expect(await read(type, Buffer.from("a\uFFFD"))).toEqual(["a\uFFFD"]);
});

it("a body that is abandoned after its first part is closed", async () => {
  for (const type of ["text/xml", "text/plain; charset=latin1"]) {
    let isClosed = false;
    const body = (async function* () {
      try {
        for (;;) yield Buffer.alloc(1_000, "x");
      } finally {
        isClosed = true;
      }
    })();
    for await (const _ of transcodeToUtf8({ status: 200, headers: { "content-type": type }, body }).body) break;
    expect([type, isClosed]).toEqual([type, true]);
  }
});

it("XML is decoded by its own declaration, which a content type overrules", async () => {
  const xml = (encoding: string) => `<?xml version="1.0"${encoding}?><a>Gr\u00fc\u00dfe</a>`;
  const latin = xml(' encoding="ISO-8859-1"');
  const bytes = Buffer.from(latin, "latin1");
  for (const type of ["text/xml", "application/xml", "application/atom+xml"])
    for (const cut of [1, 40, 50])
      expect(await read(type, bytes.subarray(0, cut), bytes.subarray(cut))).toEqual([latin]);
  for (const text of [xml(""), xml(' encoding="UTF-8"'), xml(' encoding="UTF-16"'), latin])
    expect(await read("text/xml; charset=utf-8", Buffer.from(text))).toEqual([text]);
  expect(await read("text/xml", Buffer.from(xml("")))).toEqual([xml("")]);
  expect(await read("text/xml")).toEqual([""]);
});

it("an unknown encoding, or bytes that are not text, are noted", async () => {
  const utf8 = Buffer.from("Gr\u00fc\u00dfe");
  for (const type of ["", "application/json", "application/json; charset=utf-8"])
    expect(await read(type, utf8)).toEqual(["Gr\u00fc\u00dfe"]);
  expect(await read("application/json; charset=martian", utf8)).toEqual([
    "Gr\u00fc\u00dfe",
    expect.stringMatching(/unknown .*martian/),
  ]);
  for (const type of ["application/json", "application/json; charset=shift_jis"])
    expect(await read(type, Buffer.from([0x61, 0xff]))).toEqual(["a\uFFFD", expect.stringMatching(/not text/)]);
});
