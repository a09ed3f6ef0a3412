import type { TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { TokenWish } from '../../../packages/testkit/token-claims.ts'

/** An answer as a test looks at it. */
interface Answered<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** What tests read of a referral, a task or an error. */
export interface AnyBody {
  readonly id: number
  readonly referralId: number
  readonly status: string | number
  readonly statusReason: string | null
  readonly attention: string | null
  readonly availableActions: readonly string[]
  readonly code: string
  readonly message: string
  readonly detail: string
}

export type Request = `${'GET' | 'POST' | 'PUT' | 'PATCH'} /${string}`

/** Calls the referral service as somebody: `await call('POST /api/referrals', amara, { … })`. */
export type CallApi = <Body = AnyBody>(
  request: Request,
  as?: TokenWish,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answered<Body>>

export function referralApi(corridor: Pick<TestCorridor, 'url' | 'bearerFor'>): CallApi {
  // Signing costs more than most calls: everybody keeps a token for the length of the test.
  const bearers = new Map<TokenWish, Promise<string>>()
  const bearerOf = (wish: TokenWish) => {
    const bearer = bearers.get(wish) ?? corridor.bearerFor(wish)
    bearers.set(wish, bearer)
    return bearer
  }
  return async <Body>(
    request: Request,
    as?: TokenWish,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered<Body>> => {
    const [method = '', path = ''] = request.split(' ')
    const response = await fetch(`${corridor.url('referral')}${path}`, {
      method,
      headers: {
        ...(as === undefined ? {} : { authorization: await bearerOf(as) }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // A test says what it expects; a wrong guess fails there.
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
  }
}

/** The people of the demo, as tokens. */
export const amara: TokenWish = { role: 'CLINICIAN' }
export const baraka: TokenWish = {
  role: 'CLINICIAN',
  subject: 'dr-baraka',
  fhirUser: 'Practitioner/dr-baraka',
  organisation: 'Organization/lakeside-clinic',
}
/** Works at neither of the two facilities. */
export const chidi: TokenWish = {
  role: 'CLINICIAN',
  subject: 'dr-chidi',
  fhirUser: 'Practitioner/dr-chidi',
  organisation: 'Organization/hill-hospital',
}
export const admin: TokenWish = { role: 'ADMIN' }
export const amina: TokenWish = { role: 'PATIENT' }
export const kofi: TokenWish = { role: 'PATIENT', subject: 'kofi-mensah', fhirUser: 'Patient/kofi-mensah' }
export const system: TokenWish = { role: 'SYSTEM' }
/** A token with nothing but a role and a subject, as the specification shows it. */
export const plainClinician: TokenWish = {
  role: 'CLINICIAN',
  subject: 'dr-plain',
  claims: { organisation: undefined, fhirUser: undefined },
}

/** The least that a referral needs. */
export const leastDraft = {
  patientId: 'Patient/amina-diallo',
  requesterId: 'Practitioner/dr-amara',
  receivingFacilityClientId: 'lakeside-clinic',
}

export const fullDraft = {
  ...leastDraft,
  performerId: 'Organization/lakeside-clinic',
  referralCode: '306206005',
  referralDisplay: 'Referral to service',
  priority: 'URGENT',
  reasonCodes: ['I10', '38341003'],
  clinicalNote: 'Blood pressure stays high.',
  sharedResourceTypes: [] as string[],
  // Kept elsewhere: for what the platform keeps, its store is asked.
  supportingInfo: ['https://letters.example.org/fhir/DocumentReference/letter-1'],
  occurrenceDate: '2026-12-01',
}
