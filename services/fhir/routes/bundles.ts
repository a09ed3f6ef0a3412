import { processBundle } from '../interactions/bundle/process-bundle.ts'
import { fhirRoute, type FhirCall, type FhirRouteOptions } from './fhir-route.ts'
import { fhirTypes } from './fhir-types.ts'
import type { FhirDeps } from './deps.ts'
import { operateIn } from './operate.ts'
import { readBody } from './read-body.ts'

/** @param operations what the entries of a batch may ask for as well. */
export function bundleRoutes(
  { bodyBytesMax }: { readonly bodyBytesMax: number },
  operations: readonly FhirRouteOptions[],
) {
  const options = {
    method: 'POST',
    summary: 'Process a batch or a transaction',
    tags: ['bundles'],
    // What its entries are is recorded entry by entry.
    interaction: 'operation',
    accepts: fhirTypes,
    bodyBytesMax,
    run: (call: FhirCall, deps: FhirDeps) => {
      const { request, access, wishes, tellRefused } = call
      return processBundle(
        {
          bundle: readBody(request),
          access,
          shows: showsOf[wishes.preferred ?? 'minimal'],
          isStrict: wishes.isStrict,
          operate: operateIn(operations, call, deps),
          tellRefused,
        },
        deps,
      )
    },
  } as const
  // Clients join the base and nothing with a slash, or without.
  return [fhirRoute({ ...options, path: '/fhir' }), fhirRoute({ ...options, path: '/fhir/' })]
}

const showsOf = { minimal: 'nothing', representation: 'resource', OperationOutcome: 'outcome' } as const
