import { nothing } from '../../../packages/http/content.ts'
import { fhirId } from '../../../packages/http/fields.ts'
import { roles } from '../../../packages/http/who.ts'
import { permitFacility } from '../demo-consents.ts'
import { consentRoute } from '../deps.ts'

/** Of the demo only: a bridge that runs apart lets in whoever sends it a sample message, as one beside us does. */
export const permitNewFacility = consentRoute({
  method: 'PUT',
  path: '/api/consent/demo/facilities/:id',
  who: roles('SYSTEM'),
  summary: 'Let a facility that was seen for the first time write (demo mode only)',
  description: 'The policy is that of the other facilities of the demo. One that is there already stays as it is.',
  tags: ['Demo'],
  input: { params: { id: fhirId() } },
  output: { 204: nothing },
  run: ({ params }, deps) => permitFacility(params.id, deps),
})
