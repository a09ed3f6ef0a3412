import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Fault, incorrect } from '../faults/fault.ts'
import { nearest } from './nearest.ts'
import { isKey, keysOf, type ConfigurationOf, type NamedKey, type Schema } from './schema.ts'
import { TakenValues } from './taken-values.ts'
import { readYaml, type FileValue, type Place } from './yaml-values.ts'

export interface Loaded<S extends Schema> {
  readonly configuration: ConfigurationOf<S>
  /** Where each key's value comes from: `default`, `corridor.yaml:3:5` or the variable's name. */
  readonly sourceOf: (path: string) => string
}

interface LoadOptions {
  /** The YAML file, if one was named. */
  readonly file?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What holds when neither file nor environment says otherwise, instead of the schema's default. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Whether a variable that starts with CORRIDOR_ belongs to somebody else. */
  readonly isIgnored?: (variable: string) => boolean
  /** Whether a secret that stands in a file of its own is read; all are unless said. The others keep their default. */
  readonly needsSecret?: (path: string) => boolean
}

/**
 * File first, then environment over it, then defaults below both. Everything wrong is said at once: an operator who
 * mends one mistake should not meet the next one a minute later.
 */
export function loadConfiguration<const S extends Schema>(schema: S, options: LoadOptions): Loaded<S> {
  const keys = keysOf(schema)
  const taken = new TakenValues()
  const values = fileValues(options.file, keys, taken.wrong)
  takeFile(values, keys, taken)
  takeEnvironment(options, keys, taken)
  taken.wrong.push(...saidTwice(keys, values, options.environment))
  takeSecretFiles(options, taken)
  if (taken.wrong.length > 0) {
    throw incorrect(`The configuration is not valid.\n${taken.wrong.map((line) => `  ${line}`).join('\n')}`, {
      code: 'CONFIGURATION_INVALID',
    })
  }

  const valueOf = (path: string): unknown => {
    const set = taken.found.get(path)
    if (set !== undefined) return set.value
    const given = options.defaults?.[path]
    if (given !== undefined) return given
    const named = keys.find((candidate) => candidate.path === path)
    if (named === undefined) throw new Fault('bug', `the configuration has no key ${path}`)
    return named.key.defaultOf(valueOf)
  }
  return {
    // Sound: every leaf of the schema is filled with the value its own key read or gives by default.
    configuration: assemble(schema, '', valueOf) as ConfigurationOf<S>,
    sourceOf: (path) => taken.found.get(path)?.place ?? 'default',
  }
}

function takeFile(values: readonly FileValue[], keys: readonly NamedKey[], taken: TakenValues): void {
  for (const value of values) {
    const named = keys.find(({ path }) => path === value.path)
    if (named !== undefined) {
      taken.take(named, value.value, 'file', value.place, value.written)
      continue
    }
    const secret = secretOfFileKey(value.path, keys)
    if (secret !== undefined && typeof value.value === 'string') taken.takeFileOf(secret, value.value, value.place)
    else taken.wrong.push(placeIn(keys, value.path) === 'group' ? noGroup(value, keys) : unknownKey(value, keys))
  }
}

function takeEnvironment({ environment, isIgnored }: LoadOptions, keys: readonly NamedKey[], taken: TakenValues): void {
  const variables = Object.entries(environment).sort(([a], [b]) => a.localeCompare(b))
  for (const [variable, raw] of variables) {
    if (!variable.startsWith('CORRIDOR_') || raw === undefined || raw === '') continue
    if (isIgnored?.(variable) === true || isServiceLink(variable, raw)) continue
    const named = keys.find((candidate) => candidate.variable === variable)
    if (named !== undefined) {
      taken.take(named, raw, 'environment', variable)
      continue
    }
    const secret = keys.find((candidate) => candidate.key.secret && `${candidate.variable}_FILE` === variable)
    if (secret !== undefined) taken.takeFileOf(secret, raw, variable)
    else taken.wrong.push(unknownVariable(variable, keys))
  }
}

/**
 * Last: a file whose value does not hold may be one that this user cannot read. It is text as a variable is, and a list is
 * written in it as there.
 */
function takeSecretFiles({ needsSecret }: LoadOptions, taken: TakenValues): void {
  for (const { named, fileName, place } of taken.secretFiles.values()) {
    if (needsSecret?.(named.path) === false) continue
    const content = readTextFile(fileName)
    if (content === undefined) taken.wrong.push(`${place}: The file ${fileName} for ${named.path} cannot be read.`)
    else taken.take(named, content.trimEnd(), 'environment', `${place} (${fileName})`)
  }
}

function fileValues(file: string | undefined, keys: readonly NamedKey[], wrong: string[]): readonly FileValue[] {
  if (file === undefined) return []
  const content = readTextFile(file)
  if (content === undefined) {
    throw incorrect(`The configuration file ${file} cannot be read. Check the path and its permissions.`, {
      code: 'CONFIGURATION_INVALID',
    })
  }
  const reading = readYaml(content, basename(file), (path) => placeIn(keys, path))
  if ('values' in reading) return reading.values
  wrong.push(...reading.wrong)
  return []
}

function readTextFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The caller says which file and what it was for; the reason is nearly always that it does not exist.
    return undefined
  }
}

/** A secret may stand in a file of its own: `database.urlFile: /run/secrets/url` is `database.url`. */
function secretOfFileKey(path: string, keys: readonly NamedKey[]): NamedKey | undefined {
  return keys.find(({ key, path: known }) => key.secret && `${known}File` === path)
}

/** A secret and the file for it, side by side: whichever were taken, somebody would have meant the other. */
function saidTwice(
  keys: readonly NamedKey[],
  values: readonly FileValue[],
  environment: LoadOptions['environment'],
): string[] {
  const isSet = (variable: string) => (environment[variable] ?? '') !== ''
  return keys
    .filter(({ key }) => key.secret)
    .flatMap(({ path, variable }) => {
      const inFile = values.find((value) => value.path === `${path}File`)
      return [
        ...(inFile !== undefined && values.some((value) => value.path === path)
          ? [`${inFile.place}: ${path} and ${path}File are both set. Keep one of them.`]
          : []),
        ...(isSet(variable) && isSet(`${variable}_FILE`)
          ? [`${variable} and ${variable}_FILE are both set. Keep one of them.`]
          : []),
      ]
    })
}

function placeIn(keys: readonly NamedKey[], path: string): Place {
  if (keys.some((named) => named.path === path)) return 'key'
  return keys.some((named) => named.path.startsWith(`${path}.`)) ? 'group' : undefined
}

const noGroup = ({ path, place }: FileValue, keys: readonly NamedKey[]): string =>
  `${place}: ${path} must hold keys, such as ${keys.find((named) => named.path.startsWith(`${path}.`))?.path}.`

function unknownKey({ path, place }: FileValue, keys: readonly NamedKey[]): string {
  const near = nearest(
    path,
    keys.map((named) => named.path),
  )
  return `${place}: ${path} is not a known key.${near === undefined ? '' : ` Did you mean ${near}?`}`
}

function unknownVariable(variable: string, keys: readonly NamedKey[]): string {
  const near = nearest(
    variable,
    keys.map((named) => named.variable),
  )
  return `${variable} is not a known variable.${near === undefined ? '' : ` Did you mean ${near}?`}`
}

/** Kubernetes and old Docker links put addresses of services named "corridor…" into every container. */
function isServiceLink(variable: string, value: string): boolean {
  return /_(SERVICE_(HOST|PORT\w*)|PORT_\d+_(TCP|UDP)\w*)$/.test(variable) || /^(tcp|udp):\/\//.test(value)
}

function assemble(schema: Schema, prefix: string, valueOf: (path: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([name, node]) => {
      const path = `${prefix}${name}`
      return [name, isKey(node) ? valueOf(path) : assemble(node, `${path}.`, valueOf)]
    }),
  )
}
