import type { FaultField } from '../faults/fault.ts'

/** What of an input is as its schemas say, where something else of it is not. */
export interface Sound {
  readonly query: object
  readonly body: object
  /** The fields of which something is not. */
  readonly unsound: ReadonlySet<string>
}

/** Undefined where nothing is known of the body: it is missing, or no object. */
export function soundOf(
  { query, body }: { readonly query: object; readonly body: unknown },
  failed: readonly FaultField[],
): Sound | undefined {
  const paths = failed.map(({ path }) => path)
  if (paths.includes('body')) return undefined
  return {
    query: soundFields(query, paths),
    body: soundFields(Object(body) as object, paths),
    unsound: new Set(paths.map((path) => path.replace(/[.[].*/, ''))),
  }
}

function soundFields(value: object, paths: readonly string[]): object {
  const fields = Object.entries(value).flatMap(([name, field]) => {
    if (!isSound(name, paths)) return []
    return [[name, Array.isArray(field) ? soundEntries(name, field, paths) : field] as const]
  })
  return Object.fromEntries(fields)
}

/** A wrong entry leaves a hole: whoever goes through the others finds each of them at its own place. */
function soundEntries(name: string, entries: readonly unknown[], paths: readonly string[]): unknown[] {
  const wrong = paths.filter((path) => path.startsWith(`${name}[`))
  if (wrong.length === 0) return [...entries]
  const sound: unknown[] = []
  sound.length = entries.length
  for (const [at, entry] of entries.entries()) if (isSound(`${name}[${at}]`, wrong)) sound[at] = entry
  return sound
}

const isSound = (name: string, paths: readonly string[]): boolean =>
  paths.every((path) => path !== name && !path.startsWith(`${name}.`))
