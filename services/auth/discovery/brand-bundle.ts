import type { Bundle, ContactPoint, Element, Endpoint, Organization } from '../../../ports/fhir-store/resources.ts'
import type { AuthSettings } from '../settings.ts'

/**
 * The User-access Brand Bundle (SMART App Launch 2.2): who offers access to records here, and at which endpoint. Every
 * facility of the registry is reached through the one FHIR server.
 */
export function brandBundle(
  facilities: readonly Organization[],
  { issuer, fhirBase }: Pick<AuthSettings, 'issuer' | 'fhirBase'>,
): Bundle {
  const endpointUrl = `${issuer}/brands/Endpoint/fhir`
  const platform: Organization = {
    resourceType: 'Organization',
    id: 'corridor',
    identifier: [{ system: 'urn:ietf:rfc:3986', value: issuer }],
    active: true,
    name: 'Corridor',
    telecom: [{ system: 'url', value: issuer }],
    endpoint: [{ reference: endpointUrl }],
  }
  const endpoint: Endpoint = {
    resourceType: 'Endpoint',
    id: 'fhir',
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/endpoint-fhir-version', valueCode: '4.0.1' }],
    status: 'active',
    connectionType: { system: 'http://terminology.hl7.org/CodeSystem/endpoint-connection-type', code: 'hl7-fhir-rest' },
    name: 'FHIR R4',
    managingOrganization: { reference: `${issuer}/brands/Organization/corridor` },
    contact: [{ system: 'url', value: issuer }],
    payloadType: [{ text: 'FHIR R4' }],
    address: fhirBase,
  }
  const brands = facilities.map((facility) => brandOf(facility, issuer, endpointUrl))
  return {
    resourceType: 'Bundle',
    type: 'collection',
    entry: [platform, ...brands, endpoint].map((resource) => ({
      fullUrl: `${issuer}/brands/${resource.resourceType}/${resource.id ?? ''}`,
      resource,
    })),
  }
}

/** Only what a brand needs: contacts and notes of the registry are nobody else's business. */
function brandOf(facility: Organization, issuer: string, endpointUrl: string): Organization {
  const { id, meta, identifier, name, alias, telecom = [], address } = facility
  return {
    resourceType: 'Organization',
    ...(id === undefined ? {} : { id }),
    ...(meta?.lastUpdated === undefined ? {} : { meta: { lastUpdated: meta.lastUpdated } }),
    ...(identifier === undefined ? {} : { identifier }),
    active: true,
    ...(name === undefined ? { _name: unknown } : { name }),
    ...(alias === undefined ? {} : { alias }),
    telecom: [websiteOf(telecom)],
    ...(address === undefined ? {} : { address }),
    partOf: { reference: `${issuer}/brands/Organization/corridor` },
    endpoint: [{ reference: endpointUrl }],
  }
}

/** A brand has exactly one website. Telephones of the registry stay there. */
function websiteOf(telecom: readonly ContactPoint[]): ContactPoint {
  const website = telecom.find(({ system, value }) => system === 'url' && value !== undefined)?.value
  return { system: 'url', ...(website === undefined ? { _value: unknown } : { value: website }) }
}

/** The guide allows two reasons for what a brand must have and does not: `asked-declined` and this. */
const unknown: Element = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'asked-unknown' }],
}
