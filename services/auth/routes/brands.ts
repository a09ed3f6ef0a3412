import { openJson } from '../../../packages/http/content.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { anyone } from '../../../packages/http/who.ts'
import type { AuthDeps } from '../deps.ts'

export const brands = routeFor<AuthDeps>()({
  method: 'GET',
  path: '/brands',
  who: anyone,
  summary: 'Who offers access to records here (the User-access Brand Bundle)',
  tags: ['Discovery'],
  output: { 200: openJson('application/fhir+json; charset=utf-8') },
  cors: 'anyone',
  cache: 'public, max-age=300',
  run: (_input, { brands: facilityBrands }) => facilityBrands(),
})
