import type { Extension, Organization } from '../../packages/fhir/r4.ts'
import type { Facility } from './facility-registry.ts'

/** The system of a facility's code as identifier of its Organization. */
export const facilityCodeSystem = 'urn:corridor:facility-code'

export const timeZoneExtension = 'http://hl7.org/fhir/StructureDefinition/timezone'
/** Has the parts `name` (what the facility writes) and `system` (what it means). */
export const namespaceExtension = 'urn:corridor:extension:identifier-namespace'

/** What an Organization says about the facility of this code. */
export function facilityOf(organization: Organization & { readonly id: string }, code: string): Facility {
  const extensions = organization.extension ?? []
  const timeZone = extensions.find(({ url }) => url === timeZoneExtension)?.valueCode
  return {
    code,
    organization: `Organization/${organization.id}`,
    name: organization.name ?? code,
    ...(timeZone === undefined ? {} : { timeZone }),
    namespaces: new Map(extensions.flatMap(namespaceOf)),
  }
}

/** An Organization for a code that nobody knew. */
export function organizationFor(code: string): Organization {
  return {
    resourceType: 'Organization',
    meta: { tag: [firstSightTag] },
    identifier: [{ use: 'official', system: facilityCodeSystem, value: code }],
    active: true,
    name: code,
  }
}

/** Marks what was registered because a message named it, for somebody to look at. */
export const firstSightTag = { system: 'urn:corridor:facility-registry', code: 'first-sight' }

export const hasCode = (organization: Organization, code: string): boolean =>
  organization.identifier?.some(({ system, value }) => system === facilityCodeSystem && value === code) === true

function namespaceOf({ url, extension = [] }: Extension): [string, string][] {
  if (url !== namespaceExtension) return []
  const name = extension.find((part) => part.url === 'name')?.valueString
  const system = extension.find((part) => part.url === 'system')?.valueUri
  return name === undefined || system === undefined ? [] : [[name, system]]
}
