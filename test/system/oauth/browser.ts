/** A person's browser: it follows the redirects of an identity provider, with its cookies, to where they lead. */

/** Signs in, and returns the URL to which the provider sends the browser in the end. */
export async function signIn(start: URL, isEnd: (url: URL) => boolean): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let step = 0; step < 12; step += 1) {
    if (isEnd(url)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    if (next === null) throw new Error(`No redirect at ${url}: ${response.status} ${await response.text()}`);
    url = new URL(next, url);
  }
  throw new Error(`The redirects from ${start} do not end.`);
}
