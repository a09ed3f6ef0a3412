import { incorrect } from '../faults/fault.ts'

/**
 * Reads JSON that a stranger wrote. Beyond the syntax it refuses what only an attacker or a broken program sends:
 * nesting without end, a key given twice (two readers would see two different documents), and the keys that change an
 * object's prototype.
 */
export function parseJsonText(text: string, { depthMax, parse = JSON.parse }: JsonReading): unknown {
  inspect(text, depthMax)
  try {
    return parse(text)
  } catch (error) {
    // The parser's own message quotes the text, and the text may hold a patient's name.
    throw incorrect('The body is not JSON. Check quotes, commas and brackets.', { cause: error, logged: 'JSON syntax' })
  }
}

interface JsonReading {
  readonly depthMax: number
  /** A parser that keeps more than JavaScript's own. */
  readonly parse?: (text: string) => unknown
}

const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a
const quote = 0x22
const backslash = 0x5c

/** One pass over the text. It need not notice bad syntax; the parser does that. */
function inspect(text: string, depthMax: number): void {
  const keysByDepth: (Set<string> | undefined)[] = []
  let expectsKey = false
  let afterConstructor = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case openBrace:
        if (afterConstructor) throw refusedKey('constructor')
        keysByDepth.push(new Set())
        expectsKey = true
        break
      case openBracket:
        keysByDepth.push(undefined)
        expectsKey = false
        afterConstructor = false
        break
      case closeBrace:
      case closeBracket:
        keysByDepth.pop()
        expectsKey = false
        break
      case comma:
        expectsKey = keysByDepth.at(-1) !== undefined
        afterConstructor = false
        break
      case colon:
        expectsKey = false
        break
      case quote: {
        const end = closingQuote(text, at)
        if (expectsKey) {
          const key = keyOf(text.slice(at, end + 1))
          if (key === '__proto__') throw refusedKey(key)
          const keys = keysByDepth.at(-1)
          if (keys?.has(key) === true) {
            throw incorrect('A field of the body is given more than once.', { code: 'DUPLICATE_FIELD' })
          }
          keys?.add(key)
          afterConstructor = key === 'constructor'
        }
        at = end
        break
      }
      default:
        break
    }
    if (keysByDepth.length > depthMax) throw incorrect(`The body is nested deeper than ${depthMax} levels.`)
  }
}

function closingQuote(text: string, opening: number): number {
  for (let at = opening + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
    if (backslashes % 2 === 0) return at
  }
}

/** The key that the quoted text means: `"\u005f_proto__"` is `__proto__`. */
function keyOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    // Bad syntax: the parser will say so.
    return quoted
  }
}

const refusedKey = (key: string) => incorrect(`The body may not have a field named ${key}.`, { code: 'REFUSED_FIELD' })
