import type { Form } from './forms.ts'
import { sayingQuotes } from './quotes.ts'
import type { RawSource, Read, Reading } from './reading.ts'

/** Reads another key's effective value, for defaults that follow from it. */
type ReadKey = (path: string) => unknown

/** One configuration key: what it means, how it is read, and what holds when nobody sets it. */
export interface Key<Value> {
  readonly isKey: true
  readonly kind: string
  readonly meaning: string
  readonly secret: boolean
  /** The default as the reference shows it. */
  readonly defaultText: string
  readonly defaultOf: (read: ReadKey) => Value
  readonly read: Read<Value>
  /** Of a list of records: what each of them may say. */
  readonly fields?: readonly RecordField[]
}

export interface RecordField {
  readonly name: string
  readonly key: Key<unknown>
  readonly isNeeded: boolean
}

interface Common {
  readonly meaning: string
}

/** Either a fixed default, or one that follows from other keys and is described in words. */
type DefaultOf<Value> =
  | { readonly default: Value }
  | { readonly derive: (read: ReadKey) => Value; readonly defaultText: string }

interface TextOptions extends Common {
  readonly secret?: boolean
  readonly form?: Form
}

export function text(options: TextOptions & DefaultOf<string>): Key<string> {
  return key(options, options.secret === true ? 'text, secret' : 'text', textReader(options), options.secret)
}

/** A text that nobody has to set. */
export function optionalText(options: TextOptions): Key<string | undefined> {
  const kind = options.secret === true ? 'text, secret' : 'text'
  return key({ ...options, ...none }, kind, textReader(options), options.secret)
}

export function choice<const Word extends string>(
  options: Common & DefaultOf<Word> & { readonly words: readonly Word[] },
): Key<Word> {
  return key(options, oneOf(options.words), wordReader(options.words))
}

/** One of some words, or none of them. */
export function optionalChoice<const Word extends string>(
  options: Common & { readonly words: readonly Word[] },
): Key<Word | undefined> {
  return key({ ...options, ...none }, oneOf(options.words), wordReader(options.words))
}

export function flag(options: Common & DefaultOf<boolean>): Key<boolean> {
  return key(options, 'true or false', (raw, source) => {
    if (typeof raw === 'boolean') return { value: raw }
    if (source === 'environment' && (raw === 'true' || raw === 'false')) return { value: raw === 'true' }
    return { wrong: 'must be true or false' }
  })
}

/** A timer of Node that is asked for more waits one millisecond, and a statement of PostgreSQL can be given no more. */
const timerMsMax = 2_147_483_647

type Bounds = { readonly min?: number; readonly max?: number }

export const count = (options: Common & DefaultOf<number> & Bounds) => whole(options, 'whole number')
export const milliseconds = (options: Common & DefaultOf<number> & Bounds) =>
  whole({ max: timerMsMax, ...options }, 'milliseconds')
export const seconds = (options: Common & DefaultOf<number> & Bounds) => whole(options, 'seconds')
export const bytes = (options: Common & DefaultOf<number> & Bounds) => whole(options, 'bytes')
export const port = (options: Common & DefaultOf<number> & Pick<Bounds, 'max'>) =>
  whole({ max: 65_535, ...options, min: 0 }, 'port')

/** An address of http or https without user, query or fragment, and without a slash at its end. */
export function address(options: Common & DefaultOf<string>): Key<string> {
  return key(options, 'address (http or https)', readAddress)
}

export function path(options: Common & DefaultOf<string>): Key<string> {
  return key(options, 'path', readText)
}

export function optionalPath(options: Common): Key<string | undefined> {
  return key({ ...options, ...none }, 'path', readText)
}

/** A list of texts, each of them of the form; in the environment separated by commas. */
export function texts(
  options: Common & DefaultOf<readonly string[]> & { readonly form?: Form },
): Key<readonly string[]> {
  return key(options, 'list of texts (in the environment: separated by commas)', (raw, source) => {
    const list: unknown =
      source === 'environment' && typeof raw === 'string' ? raw.split(',').map((part) => part.trim()) : raw
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string' && item !== '')) {
      return { wrong: 'must be a list of texts' }
    }
    const strange = list.find((item: string) => options.form?.is(item) === false) as string | undefined
    if (strange !== undefined) return { wrong: `is wrong at "${strange}": each ${options.form?.wrong}` }
    return { value: list }
  })
}

function whole(options: Common & DefaultOf<number> & Bounds, unit: string): Key<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  const wrong = `must be a whole number ${range}`
  return key(options, unit, (raw, source) => {
    const number = source === 'environment' && typeof raw === 'string' && /^-?\d{1,16}$/.test(raw) ? Number(raw) : raw
    if (typeof number !== 'number' || !Number.isInteger(number)) return { wrong }
    return number < min || number > max ? { wrong } : { value: number }
  })
}

const none = { derive: () => undefined, defaultText: 'none' }

const oneOf = (words: readonly string[]): string => (words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`)

const wordReader =
  <Word extends string>(words: readonly Word[]) =>
  (raw: unknown): Reading<Word> => {
    const word = words.find((known) => known === raw)
    return word === undefined ? { wrong: `must be ${oneOf(words)}` } : { value: word }
  }

const textReader =
  ({ form }: TextOptions) =>
  (raw: unknown): Reading<string> => {
    const reading = readText(raw)
    return 'value' in reading && form?.is(reading.value) === false ? { wrong: form.wrong } : reading
  }

function readText(raw: unknown): Reading<string> {
  return typeof raw === 'string' && raw !== '' ? { value: raw } : { wrong: 'must be a text that is not empty' }
}

function readAddress(raw: unknown): Reading<string> {
  const wrong = 'must be an address such as http://localhost:9000, without user, query or fragment'
  if (typeof raw !== 'string' || !URL.canParse(raw)) return { wrong }
  const url = new URL(raw)
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || !isPlain) return { wrong }
  return { value: raw.replace(/\/+$/, '') }
}

function key<Value>(
  options: Common & DefaultOf<Value>,
  kind: string,
  read: (raw: unknown, source: RawSource) => Reading<Value>,
  secret = false,
): Key<Value> {
  const common = { isKey: true, kind, meaning: options.meaning, secret, read: sayingQuotes(read, secret) } as const
  if ('derive' in options) return { ...common, defaultText: options.defaultText, defaultOf: options.derive }
  const fixed = options.default
  return { ...common, defaultText: shown(fixed), defaultOf: () => fixed }
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return String(value)
}
