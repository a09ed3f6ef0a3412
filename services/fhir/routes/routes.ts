import type { Route } from '../../../packages/http/route.ts'
import { auditRoutes } from '../audit/routes/chains.ts'
import { matchRoute } from '../patient-index/routes/match.ts'
import { resolveRoute } from '../patient-index/routes/resolve.ts'
import { reviewRoutes } from '../patient-index/routes/reviews.ts'
import { terminologyRoutes } from '../terminology/routes/terminology-routes.ts'
import { bundleRoutes } from './bundles.ts'
import type { FhirDeps } from './deps.ts'
import { discoveryRoutes } from './discovery.ts'
import { fhirRoute } from './fhir-route.ts'
import { readingRoutes } from './reading.ts'
import { everythingByPost, searchingRoutes } from './searching.ts'
import { validatingOperations } from './validating.ts'
import { writingRoutes } from './writing.ts'

/** The FHIR API, and those of the patient index and of the audit log. */
export function fhirRoutes(limits: { readonly bodyBytesMax: number }): Route<FhirDeps>[] {
  const operations = [...validatingOperations(limits), ...terminologyRoutes, matchRoute]
  return [
    ...discoveryRoutes,
    ...readingRoutes,
    ...writingRoutes(limits),
    ...searchingRoutes,
    ...bundleRoutes(limits, [...operations, everythingByPost]),
    ...operations.map(fhirRoute),
    resolveRoute,
    ...reviewRoutes,
    ...auditRoutes,
  ]
}
