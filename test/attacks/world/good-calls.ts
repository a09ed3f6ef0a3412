import type { TokenWish } from '../../../packages/testkit/tokens.ts'
import type { AttackedRoute } from './attacked-route.ts'
import { amara, baraka, type OwnObjects } from './own-objects.ts'
import type { World } from './world.ts'

interface GoodCall {
  readonly path?: string
  readonly as: TokenWish
  readonly body: object
}

/** A call that succeeds, for every route that keeps what a JSON body says. */
export const goodCalls: Readonly<Record<string, (own: OwnObjects) => Promise<GoodCall>>> = {
  'consent POST /api/consent': async () => ({
    as: amara,
    body: { patientId: 'Patient/amina-diallo', provisionType: 'permit' },
  }),
  'consent PUT /api/consent/:id': async (own) => ({
    path: `/api/consent/${(await own.consent()).id}`,
    as: amara,
    body: { note: 'changed' },
  }),
  'referral POST /api/referrals': async () => ({
    as: amara,
    body: {
      patientId: 'Patient/amina-diallo',
      requesterId: 'Practitioner/dr-amara',
      receivingFacilityClientId: 'lakeside-clinic',
    },
  }),
  'referral PUT /api/referrals/:id': async (own) => ({
    path: `/api/referrals/${await own.referral()}`,
    as: amara,
    body: {
      patientId: 'Patient/amina-diallo',
      requesterId: 'Practitioner/dr-amara',
      receivingFacilityClientId: 'lakeside-clinic',
    },
  }),
  'referral PATCH /api/referrals/:id/tasks/:taskId': async (own) => {
    const { id, taskId } = await own.sentReferral()
    return { path: `/api/referrals/${id}/tasks/${taskId}`, as: baraka, body: { status: 'RECEIVED' } }
  },
  'referral POST /api/referrals/:id/reroute': async (own) => ({
    path: `/api/referrals/${await own.rejectedReferral()}/reroute`,
    as: amara,
    body: { receivingFacilityClientId: 'hill-clinic' },
  }),
  'bridge POST /api/unmapped-codes/:id/map': async (own) => ({
    path: `/api/unmapped-codes/${await own.unmappedCode()}/map`,
    as: { role: 'SYSTEM' },
    body: { code: '718-7' },
  }),
  'fhir POST /api/patient-index/resolve': async () => ({
    as: { role: 'SYSTEM' },
    body: { patients: [{ resourceType: 'Patient', name: [{ family: 'Assigned' }], birthDate: '1990-01-01' }] },
  }),
}

/** Every route with a body that is checked by its declaration. */
export const routesWithBody = (world: World): readonly AttackedRoute[] =>
  world.routes.filter(({ route }) => route.input?.body !== undefined && route.readsOwnInput !== true)

export const takesJson = ({ route }: AttackedRoute): boolean => route.accepts === undefined
