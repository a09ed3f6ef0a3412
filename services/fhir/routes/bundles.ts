import { processBundle } from '../interactions/bundle/process-bundle.ts'
import { fhirRoute, type FhirCall } from './fhir-route.ts'
import { fhirTypes } from './fhir-types.ts'
import type { FhirDeps } from './deps.ts'
import { readBody } from './read-body.ts'

export function bundleRoutes({ bodyBytesMax }: { readonly bodyBytesMax: number }) {
  const options = {
    method: 'POST',
    summary: 'Process a batch or a transaction',
    tags: ['bundles'],
    // What its entries are is recorded entry by entry.
    interaction: 'operation',
    accepts: fhirTypes,
    bodyBytesMax,
    run: ({ request, access, wishes }: FhirCall, deps: FhirDeps) =>
      processBundle(
        {
          bundle: readBody(request),
          access,
          shows: showsOf[wishes.preferred ?? 'minimal'],
          isStrict: wishes.isStrict,
        },
        deps,
      ),
  } as const
  // Clients join the base and nothing with a slash, or without.
  return [fhirRoute({ ...options, path: '/fhir' }), fhirRoute({ ...options, path: '/fhir/' })]
}

const showsOf = { minimal: 'nothing', representation: 'resource', OperationOutcome: 'outcome' } as const
