/** What a reference says about its target. */
type ParsedReference =
  /** `Patient/1` or `Patient/1/_history/2`: on the same server. */
  | { readonly kind: 'relative'; readonly type: string; readonly id: string; readonly version: string | undefined }
  /** `https://example.org/fhir/Patient/1`: on the server of that base. */
  | {
      readonly kind: 'absolute'
      readonly base: string
      readonly type: string
      readonly id: string
      readonly version: string | undefined
    }
  /** `#p1`: inside the same resource; `#` alone is the resource around. */
  | { readonly kind: 'contained'; readonly id: string }
  /** `urn:uuid:…` or `urn:oid:…`: an entry of the same bundle. */
  | { readonly kind: 'urn'; readonly urn: string }
  /** `Patient?identifier=a|b`: to be looked up, only inside a transaction. */
  | { readonly kind: 'conditional'; readonly type: string; readonly query: string }
  /** An address that is not of the form of a FHIR server. */
  | { readonly kind: 'other'; readonly url: string }

/** Reads `Reference.reference`. Never throws: what is none of the forms is `other`. */
export function parseReference(text: string): ParsedReference {
  if (text.startsWith('#')) return { kind: 'contained', id: text.slice(1) }
  if (text.startsWith('urn:')) return { kind: 'urn', urn: text }
  const match = restfulPattern.exec(text)
  if (match !== null) {
    const [, base, type = '', id = '', version] = match
    return base === undefined
      ? { kind: 'relative', type, id, version }
      : { kind: 'absolute', base: base.slice(0, -1), type, id, version }
  }
  const conditional = conditionalPattern.exec(text)
  if (conditional !== null) return { kind: 'conditional', type: conditional[1] ?? '', query: conditional[2] ?? '' }
  return { kind: 'other', url: text }
}

/** A canonical address: `http://example.org/ValueSet/x|1.0#part`. */
interface Canonical {
  readonly url: string
  readonly version: string | undefined
  readonly fragment: string | undefined
}

export function parseCanonical(text: string): Canonical {
  const hash = text.indexOf('#')
  const whole = hash === -1 ? text : text.slice(0, hash)
  const bar = whole.indexOf('|')
  return {
    url: bar === -1 ? whole : whole.slice(0, bar),
    version: bar === -1 ? undefined : whole.slice(bar + 1),
    fragment: hash === -1 ? undefined : text.slice(hash + 1),
  }
}

/**
 * The resource type that a reference names, as `Reference.reference` or else `Reference.type` tell; undefined if
 * neither does. A contained target is found in the resource around.
 */
export function referencedType(
  reference: { readonly reference?: unknown; readonly type?: unknown },
  contained: unknown,
): string | undefined {
  if (typeof reference.reference === 'string') {
    const text = reference.reference
    if (text.startsWith('#')) return containedType(text.slice(1), contained) ?? declaredType(reference.type)
    const match = restfulPattern.exec(text) ?? conditionalPattern.exec(text)
    const type = match?.length === 3 ? match[1] : match?.[2]
    if (type !== undefined) return type
  }
  return declaredType(reference.type)
}

const idPattern = '[A-Za-z0-9\\-.]{1,64}'
const restfulPattern = new RegExp(`^(https?://.+/)?([A-Z][A-Za-z]{2,})/(${idPattern})(?:/_history/(${idPattern}))?$`)
const conditionalPattern = /^([A-Z][A-Za-z]{2,})\?(.+)$/

const declaredType = (type: unknown) =>
  typeof type === 'string' ? type.replace('http://hl7.org/fhir/StructureDefinition/', '') : undefined

/** The type of the contained resource of this id, if there is one. */
export function containedType(id: string, contained: unknown): string | undefined {
  return Array.isArray(contained) ? typesIn(contained).get(id) : undefined
}

/** Looking through the list for each reference would make a resource of many such references cost their square. */
const containedTypes = new WeakMap<readonly unknown[], ReadonlyMap<string, string>>()

/** The types of contained resources by their ids. The list of a resource that was read never changes. */
function typesIn(contained: readonly unknown[]): ReadonlyMap<string, string> {
  const known = containedTypes.get(contained)
  if (known !== undefined) return known
  const types = new Map<string, string>()
  for (const resource of contained as readonly { id?: unknown; resourceType?: unknown }[]) {
    const { id, resourceType } = resource ?? {}
    if (typeof id === 'string' && typeof resourceType === 'string' && !types.has(id)) types.set(id, resourceType)
  }
  containedTypes.set(contained, types)
  return types
}
