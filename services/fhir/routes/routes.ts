import type { Route } from '../../../packages/http/route.ts'
import { bundleRoutes } from './bundles.ts'
import type { FhirDeps } from './deps.ts'
import { discoveryRoutes } from './discovery.ts'
import { readingRoutes } from './reading.ts'
import { searchingRoutes } from './searching.ts'
import { validatingRoutes } from './validating.ts'
import { writingRoutes } from './writing.ts'

/** The FHIR API. */
export function fhirRoutes(limits: { readonly bodyBytesMax: number }): Route<FhirDeps>[] {
  return [
    ...discoveryRoutes,
    ...readingRoutes,
    ...writingRoutes(limits),
    ...searchingRoutes,
    ...bundleRoutes(limits),
    ...validatingRoutes(limits),
  ]
}
