import { openJson } from '../../../packages/http/content.ts'
import type { Organization } from '../../../ports/fhir-store/resources.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { anyone } from '../../../packages/http/who.ts'
import type { AuthDeps } from '../deps.ts'
import { brandBundle } from '../discovery/brand-bundle.ts'

export const brands = routeFor<AuthDeps>()({
  method: 'GET',
  path: '/brands',
  who: anyone,
  summary: 'Who offers access to records here (the User-access Brand Bundle)',
  tags: ['Discovery'],
  output: { 200: openJson('application/fhir+json; charset=utf-8') },
  cors: 'anyone',
  cache: 'public, max-age=300',
  run: async ({ request }, { settings, clock, platformFhir }) => {
    const search = { active: 'true', _count: '200' }
    const facilities = await platformFhir.search<Organization>('Organization', search, { signal: request.signal })
    return brandBundle(facilities, settings, clock.now())
  },
})
