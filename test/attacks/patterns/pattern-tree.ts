/** A regular expression as it is built. A sign is the text of what matches one character: `a`, `.`, `\d`, `[^x]`. */
export type Tree =
  | { readonly kind: 'sign'; readonly atom: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Tree[] }
  | { readonly kind: 'choice'; readonly ways: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly of: Tree; readonly min: number; readonly max: number }
  /** Looks ahead or behind and takes nothing. */
  | { readonly kind: 'look'; readonly of: Tree; readonly isBehind: boolean }
  /** `^`, `$`, `\b`, `\B`: a place, which takes nothing. */
  | { readonly kind: 'place'; readonly sign: string }

/** Reads what our patterns use. What it cannot read it refuses: nobody would know whether it blows up. */
export function patternTree({ source, flags }: RegExp): Tree {
  if (flags.includes('v')) throw new Error(`/${source}/${flags}: sets of sets are not read here`)
  return new Reader(source, flags.includes('u')).whole()
}

const escapes = /^\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|[pP]\{[^}]+\}|[^])/u
const classes = /^\[(?:\\[^]|[^\]\\])*\]/u
const counts = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/u
const groupSigns = /^\((?:\?(?:(:)|(<?[=!])|<\w+>))?/u

class Reader {
  readonly #source: string
  readonly #isUnicode: boolean
  readonly #groups: Tree[] = []
  #at = 0

  constructor(source: string, isUnicode: boolean) {
    this.#source = source
    this.#isUnicode = isUnicode
  }

  whole(): Tree {
    const tree = this.#choice()
    if (this.#at < this.#source.length) throw this.#unread()
    return tree
  }

  #choice(): Tree {
    const ways = [this.#sequence()]
    while (this.#take(/^\|/) !== undefined) ways.push(this.#sequence())
    return ways.length === 1 && ways[0] !== undefined ? ways[0] : { kind: 'choice', ways }
  }

  #sequence(): Tree {
    const parts: Tree[] = []
    while (this.#at < this.#source.length && !/^[|)]/.test(this.#rest)) parts.push(this.#counted(this.#one()))
    return { kind: 'sequence', parts }
  }

  #counted(of: Tree): Tree {
    const found = this.#take(counts)
    if (found === undefined) return of
    const [sign = '', least, comma, most] = found
    if (least === undefined)
      return { kind: 'repeat', of, min: sign[0] === '+' ? 1 : 0, max: sign[0] === '?' ? 1 : Infinity }
    const max = comma === undefined ? Number(least) : most === '' ? Infinity : Number(most)
    return { kind: 'repeat', of, min: Number(least), max }
  }

  #one(): Tree {
    const place = this.#take(/^(?:[$^]|\\[bB])/)?.[0]
    if (place !== undefined) return { kind: 'place', sign: place }
    const again = this.#take(/^\\([1-9])/)?.[1]
    // Whatever the group can take it can take again: more than it will, never less.
    if (again !== undefined) return this.#groups[Number(again) - 1] ?? this.#fail()
    if (this.#rest.startsWith('\\k<')) throw this.#unread()
    const group = this.#take(groupSigns)
    if (group !== undefined) return this.#group(group)
    const atom =
      this.#take(escapes)?.[0] ?? this.#take(classes)?.[0] ?? this.#take(this.#isUnicode ? /^[^]/u : /^[^]/)?.[0]
    return { kind: 'sign', atom: atom ?? this.#fail() }
  }

  #group([opening = '', plain, look]: readonly (string | undefined)[]): Tree {
    if (this.#rest.startsWith('?')) throw this.#unread()
    const isCaptured = opening !== '' && plain === undefined && look === undefined
    const number = isCaptured ? this.#groups.push({ kind: 'sequence', parts: [] }) : 0
    const inner = this.#choice()
    if (this.#take(/^\)/) === undefined) throw this.#unread()
    if (isCaptured) this.#groups[number - 1] = inner
    return look === undefined ? inner : { kind: 'look', of: inner, isBehind: look.startsWith('<') }
  }

  get #rest(): string {
    return this.#source.slice(this.#at)
  }

  #take(wanted: RegExp): RegExpExecArray | undefined {
    const found = wanted.exec(this.#rest)
    if (found === null) return undefined
    this.#at += found[0].length
    return found
  }

  #fail(): never {
    throw this.#unread()
  }

  #unread(): Error {
    return new Error(`/${this.#source}/ cannot be read at ${this.#at}`)
  }
}
