import { reply } from '../../../packages/http/answer.ts'
import { nothing, openJson } from '../../../packages/http/content.ts'
import { text } from '../../../packages/http/fields.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { anyone } from '../../../packages/http/who.ts'
import type { AuthDeps } from '../deps.ts'

export const brands = routeFor<AuthDeps>()({
  method: 'GET',
  path: '/brands',
  who: anyone,
  summary: 'Who offers access to records here (the User-access Brand Bundle)',
  tags: ['Discovery'],
  input: { headers: { 'if-none-match': text({ optional: true }) } },
  output: { 200: openJson('application/fhir+json; charset=utf-8'), 304: nothing },
  cors: 'anyone',
  cache: 'public, max-age=300',
  run: async ({ headers }, { brands: facilityBrands }) => {
    const { bundle, etag } = await facilityBrands()
    // Compared weakly, as RFC 9110 section 13.1.2 has it: what is between the quotes counts.
    const isKnown = headers['if-none-match']?.includes(etag.replace('W/', '')) === true
    return isKnown ? reply(304, undefined, { etag }) : reply(200, bundle, { etag })
  },
})
