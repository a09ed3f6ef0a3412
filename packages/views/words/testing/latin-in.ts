/**
 * The words in Latin letters that a page in Arabic says of its own accord: whatever was left in English. What is not the
 * page's own is marked as such: names and notes (`bdi`), codes, times, keys, and parts in another language.
 */
export function latinIn(html: string): string[] {
  const own = notTheirs.reduce((left, part) => left.replaceAll(part, ' '), html)
  const said = [...own.matchAll(/\s(?:aria-label|alt|placeholder|data-heading)="([^"]*)"/g)].map(
    ([, text = '']) => text,
  )
  const words = [own.replaceAll(tag, ' '), ...said].join(' ').match(/[A-Za-z]{2,}/g) ?? []
  return words.filter((word) => !names.has(word))
}

/** An attribute may have a `>` in it: `(width >= 48rem)`. */
const tag = /<(?:"[^"]*"|[^">])*>/g

const notTheirs = [
  /<!doctype[^>]*>/g,
  /&\w+;/g,
  /<(bdi|code|kbd|time|script)\b[^]*?<\/\1>/g,
  // The whole page has a language, too.
  /<(?!html)(\w+)[^>]* lang="(?!ar)[^]*?<\/\1>/g,
]

/** What is called so in every language. */
const names: ReadonlySet<string> = new Set(['Corridor'])
