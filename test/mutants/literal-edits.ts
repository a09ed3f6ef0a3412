import type { VisitorObject } from 'vite'
import type { Edit } from './mutant.ts'

/** Truths, numbers, codes and patterns. A text with spaces is a sentence for people, and those are free to change. */
export function literalEdits(add: (...edits: Edit[]) => void): VisitorObject {
  return {
    Literal(node) {
      const { start, end, value } = node
      const to = (...texts: readonly string[]) => add(...texts.map((text) => ({ start, end, text })))
      if ('regex' in node) to(...patternsLike(node.regex))
      else if (typeof value === 'boolean') to(String(!value))
      else if (typeof value === 'number') to(String(value + 1), `(${value - 1})`)
      else if (value === '') to("'x'")
      else if (typeof value === 'string' && isCode(value)) to("''")
    },
    TemplateLiteral({ start, end, quasis, expressions }) {
      const fixed = quasis.map(({ value }) => value.cooked ?? '')
      if (expressions.length > 0 && fixed.every(isCode)) add({ start, end, text: '``' })
    },
  }
}

const isCode = (text: string) => !/\s/.test(text)

/** Without an end, without the case it does not care about, with a class turned round, with one more than the most. */
function patternsLike({ pattern, flags }: { readonly pattern: string; readonly flags: string }): string[] {
  const patterns = [
    pattern.replace(/^\^/, ''),
    pattern.replace(/\$$/, ''),
    ...replacedOneByOne(pattern, /(?<!\\)\[\^/g, () => '['),
    ...replacedOneByOne(pattern, /\{(\d+),(\d+)\}/g, ([, least, most]) => `{${least},${Number(most) + 1}}`),
    ...replacedOneByOne(pattern, /\{(\d+),(\d+)\}/g, ([, least, most]) => `{${Number(least) + 1},${most}}`),
  ]
  const changed = patterns.filter((one) => one !== pattern && one !== '').map((one) => `/${one}/${flags}`)
  return flags.includes('i') ? [...changed, `/${pattern}/${flags.replace('i', '')}`] : changed
}

const replacedOneByOne = (text: string, what: RegExp, by: (found: RegExpExecArray) => string): string[] =>
  [...text.matchAll(what)].map(
    (found) => text.slice(0, found.index) + by(found) + text.slice(found.index + found[0].length),
  )
