/** XML as it is written; only `xml` makes it. */
class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type { Markup }

/** XML around values: a text is escaped, so that it never becomes markup, and markup stays what it is. */
export function xml(
  strings: TemplateStringsArray,
  ...values: readonly (string | Markup | readonly Markup[])[]
): Markup {
  let text = strings[0] ?? ''
  for (let at = 0; at < values.length; at++) text += written(values[at] ?? '') + (strings[at + 1] ?? '')
  return new Markup(text)
}

function written(value: string | Markup | readonly Markup[]): string {
  if (typeof value === 'string') return escaped(value)
  if (value instanceof Markup) return value.text
  let text = ''
  for (const part of value) text += part.text
  return text
}

/** What XML 1.0 has no place for becomes the sign for that; line breaks would end a syslog line. */
function escaped(text: string): string {
  if (isPlain.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** Printable ASCII without the five signs of markup: nearly every value of a record. */
const isPlain = /^[ !#-%(-;=?-~]*$/

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
