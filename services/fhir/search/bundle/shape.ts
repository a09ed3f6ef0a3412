import { unreachable } from '../../../../packages/faults/fault.ts'
import type { Definitions } from '../../../../packages/fhir/definitions.ts'
import { parseJson } from '../../../../packages/fhir/parse-json.ts'
import type { Shape } from '../ast.ts'

/** The JSON of a resource, cut to what `_summary` or `_elements` asks for and marked as cut. */
export function shaped(content: string, type: string, shape: Shape, definitions: Definitions): string {
  const keeps = keptElements(type, shape, definitions)
  if (keeps === undefined) return content
  // Sound: it is a resource that this server stored.
  const resource = parseJson(content) as Record<string, unknown>
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(resource)) if (keeps(name.replace(/^_/, ''))) kept[name] = value
  return JSON.stringify({ ...kept, meta: withTag(resource['meta']) })
}

type Keeps = (element: string) => boolean

/** What is mandatory stays, and what changes the meaning of the rest: without it the resource would be a lie. */
function keptElements(type: string, shape: Shape, definitions: Definitions): Keeps | undefined {
  const always = ['resourceType', 'id', 'meta']
  switch (shape.kind) {
    case 'whole':
    case 'count':
      return undefined
    case 'elements': {
      const names = new Set([
        ...always,
        ...definitions.mandatoryElements(type),
        ...definitions.modifierElements(type).filter((name) => name !== 'implicitRules'),
        ...shape.names,
        ...shape.names.flatMap((name) => choicesOf(type, name, definitions)),
      ])
      return (element) => names.has(element)
    }
    case 'summary': {
      if (shape.of === 'data') return (element) => element !== 'text'
      const summary = shape.of === 'true' ? definitions.summaryElements(type) : ['text']
      const names = new Set([...always, ...definitions.mandatoryElements(type), ...summary])
      return (element) => names.has(element)
    }
    default:
      return unreachable(shape)
  }
}

/** `_elements=value` means whichever of `valueQuantity`, `valueString` and the rest is there. */
function choicesOf(type: string, name: string, definitions: Definitions): string[] {
  const element = definitions.elementsOf(type).find((each) => each.choice === true && each.name === name)
  return (element?.types ?? []).map((each) => `${name}${each.slice(0, 1).toUpperCase()}${each.slice(1)}`)
}

/** Whether it says of itself that parts of it are missing. */
export function isSubset(resource: object): boolean {
  const { meta } = resource as { meta?: { tag?: unknown } | null }
  const tags: unknown = meta?.tag
  return Array.isArray(tags) && (tags as (Partial<typeof subsetted> | null)[]).some(isSubsetted)
}

const isSubsetted = (tag: Partial<typeof subsetted> | null) =>
  tag?.code === subsetted.code && tag.system === subsetted.system

const subsetted = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' }

function withTag(meta: unknown): object {
  const known = (typeof meta === 'object' && meta !== null ? meta : {}) as { tag?: unknown }
  const tags: unknown[] = Array.isArray(known.tag) ? known.tag : []
  return { ...known, tag: [...tags, subsetted] }
}
