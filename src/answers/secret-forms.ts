/** The process's own secrets in an answer: the forms in which an upstream may echo them, and texts without any. */

/** The forms in which an upstream may echo a secret; computed once, because every result is searched for them. */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret.length >= 8)
    .flatMap((secret) => {
      const bytes = Buffer.from(secret);
      const base64 = bytes.toString("base64");
      return [
        secret,
        encodeURIComponent(secret),
        base64,
        base64.replaceAll("=", ""),
        base64.replaceAll("+", "-").replaceAll("/", "_"),
        bytes.toString("base64url"),
        JSON.stringify(secret).slice(1, -1),
        // In a quoted cell of CSV.
        secret.replaceAll('"', '""'),
      ];
    });
  // A form that is part of another comes after it, so that nothing of the longer one is left.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** A text without the process's own secrets. */
export const scrubbed = (text: string, forms: readonly string[]): string =>
  forms.reduce((clean, form) => (clean.includes(form) ? clean.replaceAll(form, "[secret]") : clean), text);
