import { unreachable } from '../../faults/fault.ts'
import { parseCanonical, parseReference } from '../reference.ts'
import type { Convert, IndexValue, ReferenceValue } from './index-value.ts'

export function referenceConvert(type: string, targets: readonly string[] | undefined): Convert | undefined {
  switch (type) {
    case 'Reference':
      return convertReference
    case 'canonical':
    case 'uri':
      return convertCanonical
    case 'Resource':
      return resourceConvert(targets)
    default:
      return undefined
  }
}

const nothing: ReferenceValue = {
  kind: 'reference',
  type: undefined,
  id: undefined,
  url: undefined,
  version: undefined,
  identifierSystem: undefined,
  identifierValue: undefined,
}

function convertReference(node: unknown, into: IndexValue[]): void {
  if (typeof node !== 'object' || node === null) return
  const { reference, type, identifier } = node as { reference?: unknown; type?: unknown; identifier?: unknown }
  const target = typeof reference === 'string' ? targetOf(reference) : undefined
  const identified = identifierOf(identifier)
  if (target === undefined && identified === undefined) return
  const declared = typeof type === 'string' ? type.replace('http://hl7.org/fhir/StructureDefinition/', '') : undefined
  into.push({
    kind: 'reference',
    type: target?.type ?? declared,
    id: target?.id,
    url: target?.url,
    version: undefined,
    identifierSystem: identified?.system,
    identifierValue: identified?.value,
  })
}

type Target = { readonly type?: string; readonly id?: string; readonly url?: string }

/** A contained target has no address of its own, and a conditional one none yet. */
function targetOf(text: string): Target | undefined {
  const parsed = parseReference(text)
  switch (parsed.kind) {
    case 'relative':
      return { type: parsed.type, id: parsed.id }
    case 'absolute':
      return { type: parsed.type, id: parsed.id, url: `${parsed.base}/${parsed.type}/${parsed.id}` }
    case 'urn':
      return { url: parsed.urn }
    case 'other':
      return { url: parsed.url }
    case 'contained':
    case 'conditional':
      return undefined
    default:
      return unreachable(parsed)
  }
}

function identifierOf(identifier: unknown): { system: string | undefined; value: string } | undefined {
  if (typeof identifier !== 'object' || identifier === null) return undefined
  const { system, value } = identifier as { system?: unknown; value?: unknown }
  if (typeof value !== 'string') return undefined
  return { system: typeof system === 'string' ? system : undefined, value }
}

function convertCanonical(node: unknown, into: IndexValue[]): void {
  if (typeof node !== 'string' || node.startsWith('#')) return
  const { url, version } = parseCanonical(node)
  const parsed = parseReference(url)
  const type = parsed.kind === 'relative' || parsed.kind === 'absolute' ? parsed.type : undefined
  const id = parsed.kind === 'relative' ? parsed.id : undefined
  into.push({ ...nothing, type, id, url, version })
}

/** `Bundle.composition` points at the resource in the first entry itself. */
const resourceConvert =
  (targets: readonly string[] | undefined): Convert =>
  (node, into) => {
    if (typeof node !== 'object' || node === null) return
    const { resourceType, id } = node as { resourceType?: unknown; id?: unknown }
    if (typeof resourceType !== 'string' || typeof id !== 'string' || targets?.includes(resourceType) === false) return
    into.push({ ...nothing, type: resourceType, id })
  }
