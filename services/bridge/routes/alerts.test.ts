import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { oruR01 } from '../../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { TokenWish } from '../../../packages/testkit/tokens.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'

interface AlertPage {
  readonly content: readonly {
    readonly [Name in 'id' | 'patient' | 'resource' | 'transactionId']: string
  }[]
  readonly totalElements: number
}

describe('a critical result', () => {
  let corridor: TestCorridor
  beforeAll(async () => {
    corridor = await testCorridor()
  })
  afterAll(() => corridor[Symbol.asyncDispose]())

  const call = async (method: 'GET' | 'POST', path: string, scope = 'system/*.write') => callAs({ scope }, method, path)

  const callAs = async (wish: TokenWish, method: 'GET' | 'POST', path: string) => {
    const headers = { authorization: await corridor.bearerFor(wish) }
    const answer = await fetch(`${corridor.url('bridge')}${path}`, { method, headers })
    return { status: answer.status, body: (await answer.json()) as unknown }
  }

  /** Sound: both answers are pages of alerts. */
  const listed = async (status: 'open' | 'acknowledged') =>
    (await call('GET', `/api/alerts?status=${status}`, 'system/*.read')).body as AlertPage

  const raised = async (code: string) => {
    const { port } = corridor.configuration.bridge.channels.oru
    await using laboratory = await openHl7Sender({ host: '127.0.0.1', port })
    const result = { code, name: 'Potassium', value: '6.8', unit: 'mmol/L', range: '3.5-5.1', flag: 'HH' }
    const before = new Set((await listed('open')).content.map(({ id }) => id))
    await laboratory.send(oruR01({ results: [result] }, { clock: systemClock, ids: systemIds }))
    const added = async () => (await listed('open')).content.find(({ id }) => !before.has(id))
    return waitFor(added, { what: 'the alert', deadlineMs: 30_000 })
  }

  it('is none at first, as metrics tell', async () => {
    const told = async () => (await fetch(`${corridor.url('bridge')}/actuator/prometheus`)).text()
    await expect.poll(told).toContain('\ncorridor_bridge_open_alerts 0\n')
    expect(await told()).toContain('corridor_background_dead{queue="bridge.audit.fhir"} 0')
  })

  it('waits to be acknowledged, and is acknowledged once', async () => {
    const { id, resource } = await raised('2823-3')
    const acknowledged = await call('POST', `/api/alerts/${id}/acknowledge`)
    expect(acknowledged).toMatchObject({ status: 200, body: { id, resource, escalateAt: null } })
    const again = await call('POST', `/api/alerts/${id}/acknowledge`)
    expect(again).toMatchObject({ status: 409, body: { code: 'ALREADY_ACKNOWLEDGED' } })
    expect((await listed('open')).content.map((one) => one.id)).not.toContain(id)
    expect((await listed('acknowledged')).content[0]).toMatchObject({
      id,
      acknowledgedAt: expect.any(String) as string,
    })
  })

  it('is acknowledged by nobody who may only look, and not where there is none', async () => {
    const { id } = await raised('2823-3')
    expect(await call('POST', `/api/alerts/${id}/acknowledge`, 'system/*.read')).toMatchObject({ status: 403 })
    expect((await listed('open')).content.map((one) => one.id)).toContain(id)
    expect(await call('POST', `/api/alerts/${systemIds.uuid()}/acknowledge`)).toMatchObject({ status: 404 })
    expect(await call('POST', '/api/alerts/none/acknowledge')).toMatchObject({ status: 400 })
  })

  it('is listed and acknowledged by a clinician with their ordinary token, and it is written down who that was', async () => {
    const { id, patient, transactionId } = await raised('2823-3')
    const clinician = { role: 'CLINICIAN' } as const
    const page = await callAs(clinician, 'GET', '/api/alerts')
    expect(page).toMatchObject({ status: 200 })
    expect(JSON.stringify(page.body)).toContain(id)
    const path = `/api/alerts/${id}/acknowledge`
    expect(await callAs({ role: 'PATIENT' }, 'POST', path)).toMatchObject({ status: 403 })
    expect(await callAs(clinician, 'POST', path)).toMatchObject({ status: 200, body: { acknowledgedBy: 'dr-amara' } })
    const again = { status: 409, body: { code: 'ALREADY_ACKNOWLEDGED' } }
    expect(await callAs({ ...clinician, subject: 'dr-baraka' }, 'POST', path)).toMatchObject(again)
    const { body } = await call('GET', `/api/looks?transactionId=${transactionId}`)
    expect(body).toMatchObject({
      content: [{ what: 'acknowledged', subject: 'dr-amara', clientId: 'demo-app', patient, transactionId }],
    })
    for (const closed of ['/api/transactions', '/api/looks', `/api/patients/${patient.slice(8)}/summary`]) {
      expect(await callAs(clinician, 'GET', closed), closed).toMatchObject({ status: 403 })
    }
  })

  it.each([
    ['opened for one patient', 'launch patient/*.cruds openid fhirUser', [403, 403]],
    ['for other things', 'openid user/Patient.rs user/Encounter.rs', [403, 403]],
    ['that may only look at results', 'user/Observation.rs', [200, 403]],
    ['of a facility, a program', 'system/ServiceRequest.rs system/Task.rs', [403, 403]],
  ])("ends for no app %s, whatever its user's role is", async (_which, scope, [list, acknowledge]) => {
    const { id, patient } = await raised('2823-3')
    const wish = { role: 'CLINICIAN', scope, patient: patient.slice('Patient/'.length) } as const
    expect(await callAs(wish, 'GET', '/api/alerts')).toMatchObject({ status: list })
    expect(await callAs(wish, 'POST', `/api/alerts/${id}/acknowledge`)).toMatchObject({ status: acknowledge })
    expect((await listed('open')).content.map((one) => one.id)).toContain(id)
  })

  it('is in the summary of its patient, and each look at that is recorded', async () => {
    const { patient, resource } = await raised('2823-3')
    const before = await looks()
    const summary = await call('GET', `/api/${patient.replace('Patient', 'patients')}/summary`)
    expect(summary).toMatchObject({ status: 200, body: { demographics: [{ resourceType: 'Patient' }] } })
    expect(JSON.stringify(summary.body)).toContain(resource.slice('Observation/'.length))
    const cards = await call('GET', `/api/${patient.replace('Patient', 'patients')}/cards`)
    expect(cards).toEqual({ status: 200, body: { cards: [] } })
    expect(await looks()).toBe(before + 2)
    expect(await call('GET', '/api/patients/nobody/summary')).toMatchObject({ status: 404 })
  })

  it('tells who looked at its message and at its patient, and nobody who may only read the log', async () => {
    const { patient, transactionId } = await raised('2823-3')
    const patientId = patient.slice('Patient/'.length)
    await call('GET', `/api/patients/${patientId}/cards`)
    const headers = { authorization: await corridor.bearerFor({ scope: 'system/*.write', subject: 'curious' }) }
    await fetch(`${corridor.url('bridge')}/api/transactions/${transactionId}/raw`, { headers })
    const looks = async (query: string) => {
      const { body } = await call('GET', `/api/looks?${query}`)
      // Sound: the answer is a page of looks.
      return (body as { content: { at: string; what: string; patient: string | null }[] }).content
    }
    const asked = async (query: string) => (await looks(query)).map(({ what, patient: of }) => `${what} ${of}`)
    expect((await asked(`patientId=${patientId}`)).slice(0, 2)).toEqual(['raw null', `cards ${patient}`])
    // The day of the look, which may be over by now.
    const day = (await looks(`transactionId=${transactionId}`))[0]?.at.slice(0, 10)
    expect(await asked(`transactionId=${transactionId}&from=${day}&to=${day}`)).toEqual(['raw null'])
    expect(await asked('subject=curious&from=0001-01-01&to=9999-12-31')).toEqual(['raw null'])
    expect(await asked('to=2020-01-01')).toEqual([])
    expect(await call('GET', '/api/looks?from=2026-03-02&to=2026-03-01')).toMatchObject({ status: 400 })
    expect(await call('GET', '/api/looks', 'system/*.read')).toMatchObject({ status: 403 })
  })

  const looks = async () => {
    const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
    onTestFinished(() => database.close())
    return (await database.many(sql`select from bridge.looks where what in ('summary', 'cards')`)).length
  }
})
