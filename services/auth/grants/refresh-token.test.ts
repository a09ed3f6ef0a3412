import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { changedRegistration, declared, wide } from '../testing/changed-registration.ts'
import type { Tokens } from '../testing/smart-app.ts'

/** An app is let in under one declaration and refreshes under the next. */
async function refreshedUnder(
  next: ReturnType<typeof declared>,
  fields: Readonly<Record<string, string>> = {},
  asked: { readonly scope: string; readonly patient?: string } = { scope: wide },
) {
  await using changed = await changedRegistration(declared(asked.scope))
  const { app } = changed
  const { refresh_token: token, ...first } = (await (await app.exchange(await changed.code(asked))).json()) as Tokens
  expect([first.scope, first.patient]).toEqual([asked.scope, asked.patient ?? null])
  await changed.to(next)
  const response = await app.refresh(token, fields)
  const told = (await response.json()) as Tokens & { readonly error?: string }
  const again = (await app.refresh(token)).status
  return { ...told, status: response.status, again, ended: await changed.ended() }
}

describe('a refresh', () => {
  it('gives no more than the registration of the client has by now', async () => {
    const next = declared('openid fhirUser offline_access user/Patient.rs')
    expect(await refreshedUnder(next)).toMatchObject({
      status: 200,
      scope: 'openid fhirUser offline_access user/Patient.rs',
    })
  })

  it('gives no more than the user can give by now', async () => {
    expect(await refreshedUnder(declared(wide, 'PATIENT'))).toMatchObject({
      status: 200,
      scope: 'openid fhirUser offline_access',
    })
  })

  it('leaves out what was taken away since, where an app repeats all that it was granted', async () => {
    const next = declared('openid offline_access user/Patient.rs')
    expect(await refreshedUnder(next, { scope: wide })).toMatchObject({
      status: 200,
      scope: 'openid offline_access user/Patient.rs',
    })
  })

  it.each([
    ['nothing of it is left', 'launch/patient'],
    ['it may no longer live without a login', 'openid fhirUser user/*.cruds'],
  ])('is refused and ends the grant where %s', async (_why, scope) => {
    expect(await refreshedUnder(declared(scope))).toMatchObject({
      ...{ status: 400, error: 'invalid_grant', again: 400 },
      ended: [{ reason: 'no longer within the registration', subject: 'doc' }],
    })
  })
})

describe('a refresh for a patient whom the user picked', () => {
  const patient = 'kofi-mensah'
  const scope = 'openid launch/patient offline_access patient/*.cruds'

  it('gives the patient again as long as the user is staff', async () => {
    const refreshed = await refreshedUnder(declared(scope, 'ADMIN'), {}, { scope, patient })
    expect(refreshed).toMatchObject({ status: 200, scope, patient })
  })

  it.each([
    ['without a wish', {}],
    ['with all that was granted', { scope }],
  ])('gives none once the user could no longer pick one, %s', async (_how, fields) => {
    const refreshed = await refreshedUnder(declared(scope, 'PATIENT'), fields, { scope, patient })
    const nobody = { patient: null, encounter: null, need_patient_banner: false }
    expect(refreshed).toMatchObject({ status: 200, scope: 'openid offline_access', ...nobody })
    expect(decodeJwt(refreshed.access_token)).not.toHaveProperty('patient')
  })

  it.each([
    ['without a wish', {}],
    ['with all that was granted', { scope: 'launch/patient offline_access patient/*.cruds' }],
  ])('is refused and ends the grant where there was nothing else in it, %s', async (_how, fields) => {
    const asked = { scope: 'launch/patient offline_access patient/*.cruds', patient }
    expect(await refreshedUnder(declared(asked.scope, 'PATIENT'), fields, asked)).toMatchObject({
      ...{ status: 400, error: 'invalid_grant', again: 400 },
      ended: [{ reason: 'no longer within the registration', subject: 'doc' }],
    })
  })
})
