import type { FhirResource } from '../../../packages/fhir/r4.ts'
import { deleteElement, listOf, type Node, valueAt } from '../mapping/element-path.ts'
import type { Write } from '../mapping/mapped.ts'
import { questionOf } from '../mapping/merge-rules.ts'
import { ownExtensions, withOwnExtensions } from './own-extensions.ts'

/**
 * What a message took away and nobody has said since (`""` in PID-29: the death is withdrawn): a late message cannot bring
 * it back.
 */
const takenAwayUrl = (base: string): string => `${base}/StructureDefinition/taken-away`

/** Of these one message says part of what is known; results and orders are told anew, or by their state. */
const remembered: ReadonlySet<string> = new Set(['Patient', 'Encounter'])

/** The joined resource, with what is taken away now, and without what is there again. */
export function withTakenAway(merged: FhirResource, { deletes, removes, mode }: Write, base: string): FhirResource {
  if (mode === 'ensure' || !remembered.has(merged.resourceType)) return merged
  const known = takenAway(merged, base)
  if (known.length + deletes.length + removes.length === 0) return merged
  const lists = removes.map(({ element }) => element).filter((element) => !isLabel(element))
  const all = new Set([...known, ...deletes, ...lists])
  const missing = [...all].filter((path) => !isThere(path, merged as unknown as Node))
  if (missing.length === known.length && missing.every((path, at) => path === known[at])) return merged
  const url = takenAwayUrl(base)
  return withOwnExtensions(
    merged,
    [url],
    missing.map((valueString) => ({ url, valueString })),
  )
}

/** Nearly every message says that nobody is protected (PD1-12 N), and a late one has no say in `meta`. */
const isLabel = (element: string): boolean => element.startsWith('meta.')

/** Takes from what a late message says what a later one took away. */
export function takeAwayAgain(said: Node, stored: FhirResource, base: string): void {
  for (const path of takenAway(stored, base)) {
    if (!isElement(path)) deleteElement(said, path)
    else for (const name of Object.keys(said)) if (isSameQuestion(name, path)) delete said[name]
  }
}

const takenAway = (resource: FhirResource, base: string): readonly string[] =>
  ownExtensions(resource, takenAwayUrl(base)).map(({ valueString = '' }) => valueString)

function isThere(path: string, node: Node): boolean {
  const url = /^extension\((.*)\)$/.exec(path)?.[1]
  if (url !== undefined) return listOf(node, 'extension').some((one) => one['url'] === url)
  if (!isElement(path)) return valueAt(node, path) !== undefined
  return Object.keys(node).some((name) => isSameQuestion(name, path))
}

/** Neither a part of an element nor one of the extensions. */
const isElement = (path: string): boolean => !/[.(]/.test(path)

/** That somebody died says the same as when. What is noted beside an element (`_birthDate`) is said with it. */
const isSameQuestion = (name: string, path: string): boolean =>
  questionOf(name.replace('_', '')) === questionOf(path.replace('_', ''))
