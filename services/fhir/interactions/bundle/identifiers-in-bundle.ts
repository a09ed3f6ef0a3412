import type { Criteria } from '../../store/criteria.ts'
import type { IdentifiedEntry } from './identify.ts'

/** The ids of the bundle's own resources that criteria of one identifier would find once they are written. */
export function identifiersInBundle(identified: readonly IdentifiedEntry[]): (criteria: Criteria) => string[] {
  const byValue = new Map<string, { readonly system: unknown; readonly id: string }[]>()
  for (const { entry, id, resource } of identified) {
    if (id === undefined || entry.method === 'DELETE' || entry.method === 'PATCH') continue
    for (const { system = '', value } of identifiersOf(resource)) {
      if (typeof value !== 'string') continue
      const key = `${entry.place.type} ${value}`
      const known = byValue.get(key)
      if (known === undefined) byValue.set(key, [{ system, id }])
      else known.push({ system, id })
    }
  }
  return ({ type, identifier }) => {
    if (identifier === undefined || identifier.parameter !== undefined) return []
    const found = byValue.get(`${type} ${identifier.value}`) ?? []
    return found
      .filter(({ system }) => identifier.system === undefined || identifier.system === system)
      .map(({ id }) => id)
  }
}

function identifiersOf(resource: unknown): { readonly system?: unknown; readonly value?: unknown }[] {
  // The second is found by the same parameter, where a type has it.
  const { identifier, masterIdentifier } = (resource ?? {}) as { identifier?: unknown; masterIdentifier?: unknown }
  const identifiers: unknown[] = Array.isArray(identifier) ? identifier : [identifier]
  return [...identifiers, masterIdentifier].map((one) => one ?? {})
}
