import type { ServiceName } from '../../../apps/corridor/service-names.ts'

/** What follows the origin in a service's public address. */
export const basePath = (service: ServiceName): string => (service === 'fhir' ? '/fhir' : '')
