import type { CompiledElement } from '../../../../packages/fhir/compiled.ts'
import { jsonNamesOf, type Definitions } from '../../../../packages/fhir/definitions.ts'

/**
 * Gives the new text of a link, or undefined to leave it. `kind` says where it stands: in a Reference, in another
 * element that is an address, or in the narrative.
 */
export type Relink = (text: string, kind: 'reference' | 'address' | 'narrative') => string | undefined

/** The resource with its links replaced; what has none to replace is the same object. */
export type ReplaceLinks = (resource: object, relink: Relink) => object

/**
 * R4 section 3.1.0.11.2: links are in references, in elements of type uri, url, oid, uuid and canonical, and in `href`
 * and `src` of narratives. The definitions tell which elements these are; an identifier's value that looks like a link
 * is none.
 */
export function createReplaceLinks(definitions: Definitions): ReplaceLinks {
  const typesOf = rememberedTypes(definitions)

  const replaceIn = (value: unknown, type: string, relink: Relink): unknown => {
    if (Array.isArray(value)) return replaceEach(value, (item) => replaceIn(item, type, relink))
    if (typeof value === 'string') return replaceText(value, type, relink)
    return isPlainObject(value) ? replaceMembers(value, type, relink) : value
  }

  const replaceMembers = (node: Node, declared: string, relink: Relink): Node => {
    const type = declared === 'Resource' ? node['resourceType'] : declared
    // Links are looked for before anything is validated: a resource's type may be anything here.
    const types = typeof type === 'string' ? typesOf(type) : noTypes
    let replaced: Record<string, unknown> | undefined
    for (const name in node) {
      const memberType = types.get(name)
      if (memberType === undefined) continue
      const value = node[name]
      const next = replaceIn(value, memberType, relink)
      if (next === value) continue
      replaced ??= { ...node }
      replaced[name] = next
    }
    return replaced ?? node
  }

  return (resource, relink) => replaceMembers(resource as Node, 'Resource', relink)
}

type Node = Readonly<Record<string, unknown>>

function replaceText(text: string, type: string, relink: Relink): string {
  if (type === referenceText) return relink(text, 'reference') ?? text
  if (addressTypes.has(type)) return relink(text, 'address') ?? text
  if (type !== 'xhtml') return text
  return text.replaceAll(
    /(\s(?:href|src)\s*=\s*)(["'])([^"']*)\2/g,
    (whole, before: string, quote: string, link: string) => {
      const next = relink(link, 'narrative')
      return next === undefined ? whole : `${before}${quote}${next}${quote}`
    },
  )
}

const addressTypes = new Set(['uri', 'url', 'oid', 'uuid', 'canonical'])

/** What `Reference.reference` is taken for: to R4 it is a string like any other. */
const referenceText = 'Reference.reference'

function replaceEach(items: readonly unknown[], replace: (item: unknown) => unknown): readonly unknown[] {
  const replaced = items.map(replace)
  return replaced.some((item, index) => item !== items[index]) ? replaced : items
}

/** The type behind each member's name in JSON, a choice's name for each of its types; only of those that may hold links. */
function rememberedTypes(definitions: Definitions) {
  const known = new Map<string, ReadonlyMap<string, string>>()
  const mayHoldLinks = (type: string) =>
    addressTypes.has(type) || type === referenceText || type === 'xhtml' || definitions.type(type) !== undefined
  return (type: string): ReadonlyMap<string, string> => {
    let types = known.get(type)
    if (types === undefined && definitions.type(type) !== undefined) {
      types = new Map(
        definitions
          .elementsOf(type)
          .flatMap((element) => jsonNamesOf(element).map((name, at) => [name, typeAt(element, at, type)] as const))
          .filter(([, memberType]) => mayHoldLinks(memberType)),
      )
      known.set(type, types)
    }
    return types ?? noTypes
  }
}

const typeAt = ({ name, types }: CompiledElement, at: number, within: string): string =>
  within === 'Reference' && name === 'reference' ? referenceText : (types[at] ?? '')

const noTypes: ReadonlyMap<string, string> = new Map()

const isPlainObject = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
