import { incorrect } from '../../../packages/faults/fault.ts'
import type { Resource } from '../../../packages/fhir/r4.ts'
import type { Issue } from '../../../packages/fhir/validate/issue.ts'
import type { Validate } from '../../../packages/fhir/validate/validator.ts'

/** Some editors begin a file with it, and it means nothing. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/** The resources of a JSON file: one, a list of them or a Bundle, each of a form that can be read. */
export function resourcesOf(text: string, validate: Validate): Resource[] {
  const resources = resourcesIn(parsed(text))
  if (resources.length === 0) throw incorrect('The file holds no FHIR resource.')
  for (const resource of resources) refuseMalformed(resource, validate)
  return resources
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Sound: JSON.parse throws nothing else.
    const { message } = error as SyntaxError
    const before = text.slice(0, placeOf(message, text))
    const [line, column] = [before.split('\n').length, before.length - before.lastIndexOf('\n')]
    const what = message.replace(/ in JSON at position .*|, (?:\.\.\.)?".*|$/s, '.')
    throw incorrect(`The file is not valid JSON: line ${line}, column ${column}: ${what}`, { cause: error })
  }
}

/** Where the parser stopped. It does not say where it met a token that fits nowhere: the shortest text that has it does. */
function placeOf(message: string, text: string): number {
  const said = /at position (\d+)/.exec(message)?.[1]
  if (said !== undefined) return Number(said)
  if (!isStrayToken(message)) return text.length
  let [without, withIt] = [0, text.length]
  while (withIt - without > 1) {
    const middle = Math.floor((without + withIt) / 2)
    if (isStrayToken(messageOf(text.slice(0, middle)))) withIt = middle
    else without = middle
  }
  return without
}

const isStrayToken = (message: string) => message.startsWith('Unexpected token')

function messageOf(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    // Sound: JSON.parse throws nothing else.
    return (error as SyntaxError).message
  }
}

function resourcesIn(value: unknown): Resource[] {
  if (Array.isArray(value)) return value.flatMap(resourcesIn)
  if (!isResource(value)) throw incorrect('The file holds no FHIR resource.')
  if (value.resourceType !== 'Bundle') return [value]
  // Nobody has validated it.
  const { entry = [] } = value as { entry?: unknown }
  if (!Array.isArray(entry)) throw incorrect('The entry of the Bundle is not a list.')
  return entry.flatMap((one: { resource?: unknown } | null) =>
    one?.resource === undefined ? [] : resourcesIn(one.resource),
  )
}

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'resourceType' in value && typeof value.resourceType === 'string'

/** Only what is read has to be right: lists of codes go round that lack a status, or have elements of a later FHIR. */
function refuseMalformed(resource: Resource, validate: Validate): void {
  const wrong = validate(resource).filter(isOfWhatIsRead)
  if (wrong.length === 0) return
  const told = wrong.slice(0, toldMax).map(({ path, message }) => `${path}: ${message}`)
  const more = wrong.length > toldMax ? ` And ${wrong.length - toldMax} more.` : ''
  throw incorrect(`The ${resource.resourceType} is not valid. ${told.join(' ')}${more}`)
}

const toldMax = 5

const isOfWhatIsRead = ({ severity, code, path }: Issue) =>
  severity === 'error' && code !== 'invariant' && readParts.test(path)

const readParts =
  /^(?:CodeSystem|ValueSet|ConceptMap)\.(?:url|version|name|title|concept|compose|expansion|group)(?![A-Za-z])/
