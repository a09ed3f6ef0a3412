/** The media types of resources. */
export const fhirTypes = ['application/fhir+json', 'application/json'] as const
