/** A person's browser: it follows the redirects of an identity provider, with its cookies, to where they lead. */

/** The fields of the form of a page, with a name wherever one is asked for; undefined if it has none. */
function formIn(page: string): { readonly action: string; readonly body: URLSearchParams } | undefined {
  const [, action] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
  if (action === undefined) return undefined;
  const fields = [...page.matchAll(/<input[^>]*>/g)].map(([input]) =>
    ["name", "value"].map((name) => new RegExp(`${name}="([^"]*)"`).exec(input)?.[1] ?? "ann"),
  );
  return { action, body: new URLSearchParams(fields as [string, string][]) };
}

/** Signs in, and returns the URL to which the provider sends the browser in the end. */
export async function signIn(start: URL, isEnd: (url: URL) => boolean): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  let body: URLSearchParams | undefined;
  for (let step = 0; step < 12; step += 1) {
    if (isEnd(url)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie },
      ...(body ? { method: "POST", body } : {}),
    });
    body = undefined;
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    const page = next === null ? await response.text() : "";
    const form = formIn(page);
    body = form?.body;
    if (next === null && !form) throw new Error(`No redirect at ${url}: ${response.status} ${page}`);
    url = new URL(next ?? form?.action ?? "", url);
  }
  throw new Error(`The redirects from ${start} do not end.`);
}
