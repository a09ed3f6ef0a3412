import type { Key } from './key.ts'
import type { Reading } from './reading.ts'
import { nearest } from './nearest.ts'

type Fields = Readonly<Record<string, Key<unknown>>>

/** The values of one record, by the keys of its fields. */
export type RecordOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Key<infer Value> ? Value : never
}

interface RecordsOptions<F extends Fields> {
  readonly meaning: string
  readonly fields: F
  /** The fields that every record must have; any other has the default of its key. */
  readonly needed: readonly (keyof F & string)[]
  /** Whether the list as a whole is masked when the configuration is shown. */
  readonly secret?: boolean
}

/**
 * A list of records with the same fields; in the environment as JSON. Whatever is wrong in any record is said at once,
 * with its place in the list.
 */
export function records<F extends Fields>(options: RecordsOptions<F>): Key<readonly RecordOf<F>[]> {
  return {
    isKey: true,
    kind: 'list of records (in the environment: JSON)',
    fields: Object.entries(options.fields).map(([name, key]) => ({
      ...{ name, key },
      isNeeded: options.needed.includes(name),
    })),
    meaning: options.meaning,
    secret: options.secret === true,
    defaultText: 'none',
    defaultOf: () => [],
    read(raw, source, written) {
      const list = source === 'environment' ? parsedJson(raw) : raw
      if (!Array.isArray(list)) return { wrong: 'must be a list of records' }
      const readings = list.map((item, at) => readRecord(item, partOf(written, at), `[${at}]`, options))
      const wrong = readings.flatMap((reading) => reading.wrong)
      if (wrong.length > 0) return { wrong: `has mistakes: ${wrong.join('; ')}` }
      // Sound: without a mistake each record holds, for every field, what that field's own key read or defaults to.
      return { value: readings.map(({ value }) => value as RecordOf<F>) }
    },
  }
}

interface RecordReading {
  readonly value: Record<string, unknown>
  readonly wrong: readonly string[]
}

function readRecord<F extends Fields>(
  raw: unknown,
  written: unknown,
  place: string,
  options: RecordsOptions<F>,
): RecordReading {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { value: {}, wrong: [`${place} must be a record`] }
  }
  const given = new Map<string, unknown>(Object.entries(raw))
  const wrong = [...given.keys()]
    .filter((name) => !Object.hasOwn(options.fields, name))
    .map((name) => `${place}.${name} is not a known field${hint(name, options.fields)}`)
  const value: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(options.fields)) {
    const reading = given.has(name)
      ? field.read(given.get(name), 'file', partOf(written, name))
      : absent(field, options.needed.includes(name))
    if ('wrong' in reading) wrong.push(`${place}.${name} ${reading.wrong}`)
    else value[name] = reading.value
  }
  return { value, wrong }
}

const partOf = (written: unknown, name: string | number): unknown =>
  typeof written === 'object' && written !== null ? Reflect.get(written, name) : undefined

const absent = (field: Key<unknown>, isNeeded: boolean): Reading<unknown> =>
  isNeeded ? { wrong: 'is missing' } : { value: field.defaultOf(() => undefined) }

function hint(name: string, fields: Fields): string {
  const near = nearest(name, Object.keys(fields))
  return near === undefined ? '' : ` (did you mean ${near}?)`
}

function parsedJson(raw: unknown): unknown {
  try {
    return JSON.parse(String(raw))
  } catch {
    // The caller says that it must be a list of records.
    return undefined
  }
}
