import type { Identifier } from '../../store/criteria.ts'

/** Whether `identifier=system|value` would find this resource. */
export function hasIdentifier(resource: unknown, wanted: Identifier): boolean {
  const { identifier } = (resource ?? {}) as { identifier?: unknown }
  const identifiers: unknown[] = Array.isArray(identifier) ? identifier : [identifier]
  return identifiers.some((one) => {
    const { system = '', value } = (one ?? {}) as { system?: unknown; value?: unknown }
    return value === wanted.value && (wanted.system === undefined || system === wanted.system)
  })
}
