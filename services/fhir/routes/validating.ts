import { validateOperation } from '../interactions/validate-operation.ts'
import type { FhirRouteOptions } from './fhir-route.ts'
import { fhirTypes } from './fhir-types.ts'
import { readBody } from './read-body.ts'

export function validatingOperations({ bodyBytesMax }: { readonly bodyBytesMax: number }): FhirRouteOptions[] {
  return ['/fhir/:type/$validate', '/fhir/:type/:id/$validate'].map((path): FhirRouteOptions => ({
    method: 'POST',
    path,
    summary: 'Say what is wrong with a resource, without storing it',
    tags: ['operations'],
    interaction: 'operation',
    accepts: fhirTypes,
    bodyBytesMax,
    run: ({ params: { type = '', id }, query, request, access }, deps) => {
      // To ask about a delete, or about what is stored, takes none.
      const body = request.rawBody === undefined ? undefined : readBody(request)
      return validateOperation({ type, ...(id === undefined ? {} : { id }), query, body, access }, deps)
    },
  }))
}
