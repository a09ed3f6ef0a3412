import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { HumanName, Resource } from '../../../packages/fhir/r4.ts'
import { patientsWord } from '../../../packages/fhir/patients-word.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { findCertificate } from '../store/certificates.ts'
import { criterion, immunization, patient, recommendation } from '../testing/resources.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
}, 60_000)
afterAll(() => app?.[Symbol.asyncDispose]())
beforeEach(() => {
  const { behaviour, seen } = app.server
  behaviour.resources.length = 0
  behaviour.fhirStatus.clear()
  Object.assign(behaviour, { pageSize: 200, nextPageElsewhere: false, refresh: 'grant' })
  seen.fhirCalls.length = 0
  seen.written.length = 0
})

const resources = () => app.server.behaviour.resources
type Records = readonly Record<string, unknown>[]

describe('the record', () => {
  it('is asked for with the session’s patient and only completed doses', async () => {
    resources().push(patient())
    const visitor = await app.launched()
    await visitor.json('/api/immunizations')
    expect(app.server.seen.fhirCalls.toSorted()).toEqual([
      'GET /fhir/Immunization?_count=200&patient=Patient%2Fp1&status=completed',
      'GET /fhir/ImmunizationRecommendation?_count=200&patient=Patient%2Fp1',
      'GET /fhir/Patient/p1',
    ])
  })

  it('has what is completed, newest first, page by page', async () => {
    app.server.behaviour.pageSize = 2
    resources().push(
      patient(),
      immunization('b', { occurrenceDateTime: '2024-07-01' }),
      immunization('undated', { occurrenceString: 'as a child' }),
      immunization('declined', { status: 'not-done' }),
      immunization('a', { occurrenceDateTime: '2024-07-01' }),
      immunization('c', { occurrenceDateTime: '2025-01-01T23:30:00-05:00' }),
    )
    delete (resources()[2] as { occurrenceDateTime?: string }).occurrenceDateTime
    const found = await (await app.launched()).json<Records>('/api/immunizations')
    expect(found.map(({ fhirId, occurrenceDate }) => [fhirId, occurrenceDate])).toEqual([
      ['c', '2025-01-01'],
      ['a', '2024-07-01'],
      ['b', '2024-07-01'],
      ['undated', null],
    ])
  })

  it('names a vaccine of which only the code is written on every page, and in the API says what is written', async () => {
    const coded = { vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '207' }] } }
    resources().push(patient(), immunization('coded', coded))
    const visitor = await app.launched()
    expect(await visitor.json('/api/immunizations')).toMatchObject([{ vaccineCode: '207', vaccineName: '207' }])
    for (const path of ['/dashboard', '/history', '/certificate']) {
      expect([path, await (await visitor.get(path)).text()]).toEqual([path, expect.stringContaining('>COVID-19</bdi>')])
    }
    expect(await (await visitor.get('/history')).text()).toContain('207 · COVID-19</option>')
  })

  it('never shows what a server sends about somebody else', async () => {
    const other = { reference: 'Patient/p10' }
    resources().push(
      patient({ id: 'p1' }),
      immunization('own'),
      immunization('foreign', { patient: other, note: [{ text: 'secret of another' }] }),
      recommendation('foreign-forecast', { description: 'secret of another' }, { patient: other }),
    )
    const visitor = await app.launched()
    expect((await visitor.json<Records>('/api/immunizations')).map(({ fhirId }) => fhirId)).toEqual(['own'])
    for (const path of ['/dashboard', '/history', '/recommendations', '/certificate', '/api/recommendations']) {
      expect(await (await visitor.get(path)).text()).not.toContain('secret of another')
    }
  })

  it('is shown also where a server has taken resources that lack what R4 requires', async () => {
    const { vaccineCode: _code, ...uncoded } = immunization('uncoded', { occurrenceDateTime: '2024-07-01' })
    const { patient: _patient, ...nobodys } = immunization('nobodys')
    const { recommendation: _entries, ...empty } = recommendation('empty')
    const { forecastStatus: _status, ...unclear } = recommendation('x').recommendation[0] ?? {}
    const lacking = [
      ...[uncoded, nobodys, empty],
      { ...recommendation('unclear'), recommendation: [{ ...unclear, dateCriterion: [{ value: '2026-05-01' }] }] },
      { ...immunization('a'), performer: [{}] },
    ]
    resources().push(patient(), ...(lacking as Resource[]))
    const visitor = await app.launched()
    const found = await visitor.json<Records>('/api/immunizations')
    expect(found.map(({ fhirId, vaccineCode }) => [fhirId, vaccineCode])).toEqual([
      ['uncoded', null],
      ['a', '19'],
    ])
    expect(await visitor.json('/api/recommendations')).toMatchObject([{ fhirId: 'unclear', forecastStatus: null }])
    for (const path of ['/dashboard', '/history', '/recommendations', '/certificate', '/certificate/pdf']) {
      expect((await visitor.get(path)).status).toBe(200)
    }
  })

  it('lists on the dashboard what it counts as due, also where nobody says how it stands', async () => {
    const due = recommendation('unclear', { dateCriterion: [criterion('30980-7', '2026-03-20')], forecastStatus: {} })
    resources().push(patient(), due)
    const visitor = await app.launched()
    expect(await visitor.json('/api/summary')).toMatchObject({ dueSoonCount: 1 })
    const page = await (await visitor.get('/dashboard')).text()
    expect(/<ul class="entries">.*?<\/ul>/s.exec(page)?.[0]).toContain('MMR')
  })

  it('is told by a number that is in use, not by one that was given up before', async () => {
    const identifier = [{ use: 'old' as const, value: 'NUM-GIVEN-UP' }, { value: ' ' }, { value: 'NUM-IN-USE' }]
    resources().push(patient({ identifier }))
    const page = await (await (await app.launched()).get('/dashboard')).text()
    expect(page).toContain('NUM-IN-USE')
    expect(page).not.toContain('NUM-GIVEN-UP')
  })

  it('is read once a minute for a session, and for each session anew', async () => {
    resources().push(patient(), recommendation('r1'))
    const visitor = await app.launched()
    await Promise.all(['/api/summary', '/api/immunizations', '/dashboard'].map((path) => visitor.get(path)))
    expect(app.server.seen.fhirCalls).toHaveLength(3)
    await (await app.launched()).get('/dashboard')
    expect(app.server.seen.fhirCalls).toHaveLength(6)
    app.clock.forward(61)
    await visitor.get('/dashboard')
    expect(app.server.seen.fhirCalls).toHaveLength(9)
  })

  it('has recommendations with the overdue first, then by day, and counts them', async () => {
    const due = (day: string) => ({ dateCriterion: [criterion('30980-7', day)] })
    const status = (code: string) => ({ forecastStatus: { coding: [{ code }] } })
    resources().push(
      patient(),
      recommendation('late', due('2026-04-04')),
      recommendation('soon', due('2026-04-03')),
      recommendation('undated'),
      recommendation('overdue', { ...due('2026-05-01'), ...status('Overdue') }),
      recommendation('immune', { ...due('2026-01-01'), ...status('immune') }),
    )
    const visitor = await app.launched()
    const found = await visitor.json<Records>('/api/recommendations')
    expect(found.map(({ fhirId }) => fhirId)).toEqual(['overdue', 'immune', 'soon', 'late', 'undated'])
    const today = app.clock.now().toISOString().slice(0, 10)
    expect(today).toBe('2026-03-04')
    expect(await visitor.json('/api/summary')).toEqual({
      ...{ totalVaccinations: 0, totalRecommendations: 5, overdueCount: 1, dueSoonCount: 1 },
      ...{ patientName: 'Zawadi Otieno', patientDob: '2024-06-01' },
    })
  })
})

describe('what a FHIR server refuses or fails at', () => {
  it('is an empty list where the scope is missing', async () => {
    resources().push(patient(), immunization('a'), recommendation('r'))
    for (const type of ['Immunization', 'ImmunizationRecommendation', 'Patient']) {
      app.server.behaviour.fhirStatus.set(type, 403)
    }
    const visitor = await app.launched()
    expect(await visitor.json('/api/immunizations')).toEqual([])
    expect(await visitor.json('/api/recommendations')).toEqual([])
    expect(await visitor.json('/api/summary')).toMatchObject({ totalVaccinations: 0, patientName: null })
    expect(await (await visitor.get('/history')).text()).toContain('No vaccinations yet')
  })

  it.each([500, 502, 429, 400, 404])('is 500 fhir_unavailable for a search answered with %i', async (status) => {
    app.server.behaviour.fhirStatus.set('Immunization', status)
    const visitor = await app.launched()
    const answer = await visitor.get('/api/immunizations', { accept: 'application/json' })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ code: 'fhir_unavailable' })
    const page = await visitor.get('/dashboard')
    expect(page.status).toBe(500)
    expect(await page.text()).toContain('The FHIR server that holds it does not answer as it should.')
  })

  it('is not remembered: the next request tries again', async () => {
    resources().push(patient())
    app.server.behaviour.fhirStatus.set('Immunization', 500)
    const visitor = await app.launched()
    expect((await visitor.get('/dashboard')).status).toBe(500)
    app.server.behaviour.fhirStatus.clear()
    expect((await visitor.get('/dashboard')).status).toBe(200)
  })

  it('is 500 where the next page lies on another server, which gets no token', async () => {
    Object.assign(app.server.behaviour, { pageSize: 1, nextPageElsewhere: true })
    resources().push(patient(), immunization('a'), immunization('b'))
    const visitor = await app.launched()
    expect((await visitor.get('/api/immunizations')).status).toBe(500)
  })
})

describe('the forecast of our own', () => {
  it('is calculated and marked where the record has none', async () => {
    resources().push(patient(), immunization('a'))
    const visitor = await app.launched()
    const found = await visitor.json<Records>('/api/recommendations')
    expect(found.length).toBeGreaterThan(5)
    expect(found.every(({ calculated }) => calculated === true)).toBe(true)
    const page = await (await visitor.get('/recommendations')).text()
    expect(page).toContain('This forecast was calculated, not prescribed')
  })

  it('names as many vaccines as it counts, and says which disease where two share a vaccine', async () => {
    resources().push(patient())
    const visitor = await app.launched()
    const { overdueCount } = await visitor.json<{ overdueCount: number }>('/api/summary')
    const page = await (await visitor.get('/dashboard')).text()
    const alert = /<div class="alert bad".*?<\/div><\/div>/s.exec(page)?.[0] ?? ''
    const names = [...alert.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, name]) => name)
    expect(names).toHaveLength(overdueCount)
    expect(new Set(names).size).toBe(overdueCount)
    expect(names).toEqual(expect.arrayContaining(['Measles and rubella (measles)', 'Measles and rubella (rubella)']))
    expect(await (await visitor.get('/dashboard?lang=fr')).text()).toContain('Measles and rubella (rougeole)')
  })

  it('has what the programme has beside the routine schedule', async () => {
    const seriesOf = async (one: TestApp) => {
      one.server.behaviour.resources.push(patient())
      const found = await (await one.launched()).json<Records>('/api/recommendations')
      return found.map(({ seriesName }) => seriesName)
    }
    await using elsewhere = await startTestApp({ 'immunization.programme': 'yellow-fever,typhoid' })
    expect(await seriesOf(elsewhere)).toEqual(expect.arrayContaining(['yellow-fever', 'typhoid', 'measles']))
    expect(await seriesOf(app)).not.toContain('yellow-fever')
    const misspelt = startTestApp({ 'immunization.programme': 'yellow fever' })
    await expect(misspelt).rejects.toThrow('must be one of yellow-fever, meningococcal-a')
  })

  it('gives way to what somebody has recommended', async () => {
    const tag = [{ system: 'urn:corridor:forecast', code: 'calculated' }]
    resources().push(patient(), recommendation('ours', {}, { meta: { tag } }), recommendation('theirs'))
    const found = await (await app.launched()).json<Records>('/api/recommendations')
    expect(found.map(({ fhirId, calculated }) => [fhirId, calculated])).toEqual([['theirs', false]])
  })

  it('is not made beside what somebody has recommended, and the pages say that only that is listed', async () => {
    const settled = recommendation('settled', { forecastStatus: { coding: [{ code: 'immune' }] } })
    resources().push(patient(), settled)
    const visitor = await app.launched()
    for (const path of ['/dashboard', '/recommendations']) {
      expect(await (await visitor.get(path)).text()).toContain('Only what somebody has recommended is listed')
    }
    const dashboard = await (await visitor.get('/dashboard')).text()
    expect(dashboard).toContain('All that somebody has recommended is settled.')
    expect(dashboard).not.toContain('No vaccine is overdue or planned.')
  })

  it('is not written by somebody who is not known to be a clinician', async () => {
    resources().push(patient(), immunization('a'))
    await (await app.launched()).get('/dashboard')
    expect(app.server.seen.written).toEqual([])
  })

  it.each([
    ['on a day', { deceasedDateTime: '2025-06-01' }, 'datetime="2025-06-01"'],
    ['on a day that nobody knows', { deceasedBoolean: true }, 'Date not known'],
  ])('is none for who has died %s, and the banner says so', async (_when, died, said) => {
    const tag = [{ system: 'urn:corridor:forecast', code: 'calculated' }]
    resources().push(patient({ birthDate: '2025-01-10', ...died }), recommendation('ours', {}, { meta: { tag } }))
    const visitor = await app.launched()
    expect(await visitor.json('/api/recommendations')).toEqual([])
    expect(await visitor.json('/api/summary')).toMatchObject({ overdueCount: 0, dueSoonCount: 0 })
    const page = await (await visitor.get('/dashboard')).text()
    const banner = /<section class="patient-banner".*?<\/section>/s.exec(page)?.[0] ?? ''
    expect(banner).toMatch(/Died/)
    expect(banner).toContain(said)
    expect(banner.match(/\([^)]*\)/g) ?? []).toEqual('deceasedBoolean' in died ? [] : ['(4 months)'])
  })

  it.each([
    ['whose birth date is a year', { birthDate: '2024' }, 'the record has no full date of birth'],
    ['who has died', { deceasedBoolean: true }, 'The patient has died'],
    ['of an age that the schedule knows nothing for', { birthDate: '1960-05-05' }, 'has nothing for this age'],
  ])('is none for a patient %s, and the pages say why', async (_who, members, said) => {
    resources().push(patient(members))
    const visitor = await app.launched()
    expect(await visitor.json('/api/recommendations')).toEqual([])
    for (const path of ['/recommendations', '/dashboard']) {
      expect(await (await visitor.get(path)).text()).toContain(said)
    }
  })

  it('counts what is overdue as none only where that was worked out, and as good only then', async () => {
    const cardsOf = async (...stored: readonly Resource[]) => {
      resources().splice(0, resources().length, ...stored)
      const page = await (await (await app.launched()).get('/dashboard')).text()
      const cards = page.matchAll(
        /<div class="card stat (\w+)"><p class="stat-label">(.*?)<\/p><p class="stat-value">(.*?)<\/p>/gs,
      )
      return [...cards].slice(1, 3).map(([, tone, , value]) => [tone, value])
    }
    const born = { birthDate: '2026-03-04' }
    expect(await cardsOf(patient({ birthDate: '2024' }))).toEqual([
      ['neutral', '–'],
      ['neutral', '–'],
    ])
    expect(await cardsOf(patient(born))).toEqual([
      ['good', '0'],
      ['neutral', expect.stringMatching(/^\d$/)],
    ])
    expect(await cardsOf(patient(born), recommendation('flu'))).toEqual([
      ['neutral', '0'],
      ['neutral', '0'],
    ])
    const overdue = recommendation('late', { forecastStatus: { coding: [{ code: 'overdue' }] } })
    expect(await cardsOf(patient(born), overdue)).toEqual([
      ['bad', '1'],
      ['neutral', '0'],
    ])
  })

  it('is none of a record that was merged into another while it is open, and every page says where its doses went', async () => {
    const link = [{ other: { reference: 'Patient/p2' }, type: 'replaced-by' as const }]
    const tag = [{ system: 'urn:corridor:forecast', code: 'calculated' }]
    resources().push(patient({ active: false, link }), recommendation('ours', {}, { meta: { tag } }))
    const visitor = await app.launched()
    expect(await visitor.json('/api/recommendations')).toEqual([])
    expect(await visitor.json('/api/summary')).toMatchObject({ overdueCount: 0, dueSoonCount: 0 })
    for (const path of ['/dashboard', '/history', '/recommendations', '/certificate']) {
      expect(await (await visitor.get(path)).text()).toContain('This record was merged into another one')
    }
    expect(await (await visitor.get('/recommendations')).text()).toContain('What is due stands there')
  })

  it.each(['refer', 'seealso'] as const)(
    'says of a record with a link %s, as does the history, that another of the same person may hold more',
    async (type) => {
      resources().push(patient({ link: [{ other: { reference: 'Patient/person' }, type }] }), immunization('a'))
      const visitor = await app.launched()
      for (const path of ['/dashboard', '/history', '/recommendations']) {
        expect(await (await visitor.get(path)).text()).toContain(
          'Another facility may keep a record of the same person',
        )
      }
      const [first] = await visitor.json<Records>('/api/recommendations')
      expect(first?.['description']).toContain('Calculated from the doses of this record alone')
    },
  )

  it('says so of no record that stands alone, nor of one that others were merged into', async () => {
    resources().push(patient({ link: [{ other: { reference: 'Patient/p2' }, type: 'replaces' }] }), immunization('a'))
    const visitor = await app.launched()
    for (const path of ['/dashboard', '/history', '/recommendations']) {
      expect(await (await visitor.get(path)).text()).not.toContain('Another facility')
    }
  })

  it('says nothing of a birth date that it may not see', async () => {
    resources().push(patient())
    app.server.behaviour.fhirStatus.set('Patient', 403)
    const page = await (await (await app.launched()).get('/recommendations')).text()
    expect(page).toContain('The record holds no recommendation, or none that you may see.')
  })

  it('names doses as exactly as they are known, and why something has to wait', async () => {
    const flu = { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '88' }] }
    const mr = { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '04' }] }
    resources().push(
      patient({ birthDate: '2024-03-20' }),
      immunization('month', { occurrenceDateTime: '2024-03' }),
      immunization('early', { occurrenceDateTime: '2024-11', vaccineCode: mr }),
      immunization('flu', { occurrenceDateTime: '2025', vaccineCode: flu }),
    )
    const visitor = await app.launched()
    const history = await (await visitor.get('/history')).text()
    expect(history).not.toContain('before the patient was born')
    const due = await (await visitor.get('/recommendations')).text()
    expect(due).toContain('The dose of Nov 2024 does not count: it was given too young.')
    expect(due).toContain('Dose 2 is recommended a year after the dose before.')
    expect(due).not.toMatch(/1 Mar 2024|1 Nov 2024|1 Jan 2025/)
  })

  it('is left out where doses or recommendations may not be seen', async () => {
    resources().push(patient(), immunization('a'))
    app.server.behaviour.fhirStatus.set('Immunization', 403)
    expect(await (await app.launched()).json('/api/recommendations')).toEqual([])
  })
})

describe('the certificate', () => {
  it('is a PNG of the asked size, 300 pixels unless said', async () => {
    resources().push(patient(), immunization('a'))
    const visitor = await app.launched()
    for (const [query, size] of [
      ['', 300],
      ['?size=', 300],
      ['?size=512', 512],
      ['?size=77', 77],
    ] as const) {
      const { qrBase64, format } = await visitor.json<Record<string, string>>(`/api/certificate/qr${query}`)
      const png = Buffer.from(qrBase64 ?? '', 'base64')
      expect([format, png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', size, size])
    }
  })

  it.each(['49', '2001', '-1', '1.5', 'large', '0x100', '60'])('refuses a size of %s', async (size) => {
    resources().push(patient(), ...doses(6))
    const visitor = await app.launched()
    const answer = await visitor.get(`/api/certificate/qr?size=${size}`, { accept: 'application/json' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'invalid_size' })
  })

  it('is 500 in the API when it fits no code, and several codes on the page', async () => {
    resources().push(patient(), ...doses(60))
    const visitor = await app.launched()
    const answer = await visitor.get('/api/certificate/qr?size=1000', { accept: 'application/json' })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ code: 'qr_generation_failed' })
    expect((await visitor.get('/api/certificate/qr?size=1000&vaccineCode=V1')).status).toBe(200)
    const page = await (await visitor.get('/certificate')).text()
    expect(page.match(/<figure class="code">/g)?.length).toBe(12)
    expect(page).toContain('1 of 12')
  })

  it('has no more codes on the page than anybody scans, says that there are others, and lists every dose', async () => {
    const kinds = Array.from({ length: 25 }, (_, at) =>
      immunization(`kind-${at}`, { vaccineCode: { coding: [{ code: `K${at}`, display: `Kind ${at}` }] } }),
    )
    resources().push(patient(), ...kinds)
    const visitor = await app.launched()
    const page = await (await visitor.get('/certificate')).text()
    expect(page.match(/<figure class="code">/g)?.length).toBe(24)
    expect(page).toContain('Only the first 24 of 25 codes are here: the PDF has all of them.')
    expect(page.match(/<th scope="rowgroup"/g)?.length).toBe(25)
    resources().splice(1, 1)
    app.clock.forward(61)
    expect(await (await visitor.get('/certificate')).text()).not.toContain('Only the first')
  })

  it('is shown without the code of a dose that fits none, and says so', async () => {
    resources().push(patient(), ...doses(2), immunization('long', { lotNumber: 'x'.repeat(2_000) }))
    const visitor = await app.launched()
    const page = await visitor.get('/certificate')
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Some of the doses are too long for a code: they are in the list only.')
    expect((await visitor.get('/certificate/pdf')).status).toBe(200)
  })

  /** Of many different letters: what repeats itself is packed. */
  const hardlyPacked = Array.from({ length: 900 }, (_, at) =>
    String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
  ).join('')

  it('has a health card of the others where one dose says more than a code can hold', async () => {
    resources().push(patient(), immunization('long', { lotNumber: hardlyPacked }), immunization('usual'))
    const visitor = await app.launched()
    const page = await visitor.get('/certificate/health-card')
    expect(page.status).toBe(200)
    const said = await page.text()
    expect(said).toContain('Signed code with 1 dose<')
    expect(said).toContain('Some of the doses are too long for a code: they are in the file only.')
    expect((await visitor.get('/certificate/health-card/file')).status).toBe(200)
  })

  it('has at least the file of a health card where no dose fits a code', async () => {
    resources().push(patient(), immunization('long', { lotNumber: hardlyPacked }))
    const page = await (await app.launched()).get('/certificate/health-card')
    expect(page.status).toBe(200)
    const said = await page.text()
    expect(said).toContain('too long for a code')
    expect(said).toContain('/certificate/health-card/file')
    expect(said).not.toContain('Nothing to certify')
  })

  it('names the key where that is what keeps a health card from being shown', async () => {
    await using right = await startTestApp({ 'immunization.certificateKeySecret': 'the right secret' })
    const settings = {
      'database.url': right.corridor.databaseUrl,
      'immunization.certificateKeySecret': 'a wrong secret',
    }
    await using wrong = await startTestApp(settings)
    wrong.server.behaviour.resources.push(patient(), ...doses(1))
    const page = await (await wrong.launched()).get('/certificate/health-card')
    expect(page.status).toBe(500)
    const said = await page.text()
    expect(said).toContain('The key that signs it cannot be opened.')
    expect(said).not.toContain('FHIR server')
  })

  it.each([
    ['en-US,en;q=0.9', 612],
    ['es-CO', 612],
    ['fr-ca;q=0.8', 612],
    ['ca-ES,ca', 595],
    ['co', 595],
    ['en-GB', 595],
  ])('is on the paper of the reader’s country: %s', async (language, width) => {
    resources().push(patient(), ...doses(1))
    const pdf = await (await app.launched()).get('/certificate/pdf', { 'accept-language': language })
    const box = /\/MediaBox \[0 0 (\d+)/.exec(Buffer.from(await pdf.arrayBuffer()).toString('latin1'))
    expect(Number(box?.[1])).toBe(width)
  })

  it('is also a PDF, a health card and a signed envelope whose keys anybody may read', async () => {
    resources().push(patient(), ...doses(3))
    const visitor = await app.launched()
    const pdf = await visitor.get('/certificate/pdf?lang=ar')
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(Buffer.from(await pdf.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-/)
    const card = await visitor.get('/certificate/health-card/file')
    expect(card.headers.get('content-type')).toBe('application/smart-health-card')
    const { verifiableCredential } = (await card.json()) as { verifiableCredential: string[] }
    const kid = decodeProtectedHeader(verifiableCredential[0] ?? '').kid
    const signed = await visitor.json<{ sig: { alg: string } }>('/api/certificate/signed')
    expect(signed.sig.alg).toBe('ES256')
    const keys = await app.visitor().json<{ keys: { kid: string }[] }>('/.well-known/jwks.json')
    expect(keys.keys.map((key) => key.kid)).toEqual([kid])
    expect(await (await visitor.get('/certificate/health-card')).text()).toContain('Signed code with 3 doses')
    expect((await app.visitor().get('/verify')).status).toBe(200)
  })

  it('has lots and doses as they are written, also on a page that is read from right to left', async () => {
    const written = { lotNumber: '12-34 56', protocolApplied: [{ doseNumberString: '2/3' }] }
    resources().push(patient(), immunization('numbers', written))
    const visitor = await app.launched()
    const certificate = await (await visitor.get('/certificate?lang=ar')).text()
    expect(certificate).toContain('<bdi dir="ltr">12-34 56</bdi>')
    expect(certificate).toContain('<bdi>2/3</bdi>')
    const history = await (await visitor.get('/history?lang=ar')).text()
    expect(history).toContain('<bdi dir="ltr"><code>12-34 56</code></bdi>')
    expect(history).toContain('<bdi>2/3</bdi>')
  })

  it.each([
    ['no name', { name: [] }, 'no name of the patient'],
    ['half a birth date', { birthDate: '2024-06' }, 'no full birth date of the patient'],
  ])('is not signed for somebody with %s, and says why', async (_what, changes, why) => {
    resources().push(patient(changes), ...doses(2))
    const visitor = await app.launched()
    for (const path of ['/certificate/health-card/file', '/api/certificate/signed']) {
      const answer = await visitor.get(path, { accept: 'application/json' })
      expect([answer.status, await answer.json()]).toEqual([
        422,
        { code: 'patient_not_identified', message: expect.stringContaining(why) },
      ])
    }
    const page = await (await visitor.get('/certificate/health-card')).text()
    expect(page).toContain('Nobody could tell whose card it is')
    expect(page).not.toContain('/certificate/health-card/file')
    expect((await visitor.get('/api/certificate/qr')).status).toBe(200)
  })

  it.each(['/certificate', '/certificate/health-card'])(
    'leaves out what has no date, and says so: %s',
    async (path) => {
      const undated = { occurrenceDateTime: undefined, occurrenceString: 'as a child' }
      resources().push(patient(), immunization('undated', undated), immunization('seen'))
      const said = 'Vaccinations whose date is not known are left out.'
      const visitor = await app.launched()
      expect(await (await visitor.get(path)).text()).toContain(said)
      resources().splice(1, 1)
      app.clock.forward(61)
      expect(await (await visitor.get(path)).text()).not.toContain(said)
    },
  )

  it('is not signed for what the patient only remembers, and says so', async () => {
    const remembered = { primarySource: false }
    resources().push(patient(), immunization('told', remembered), immunization('seen'))
    const visitor = await app.launched()
    const page = await (await visitor.get('/certificate/health-card')).text()
    expect(page).toContain('Signed code with 1 dose<')
    expect(page).toContain('Doses that only the patient reports are not on it')
  })

  it('is not signed for what the patient has written, whatever it says of itself, and every page says whose word it is', async () => {
    const meta = { security: [patientsWord] }
    const forged = { meta, primarySource: true, performer: [{ actor: { reference: 'Organization/central-hospital' } }] }
    resources().push(patient(), immunization('forged', forged))
    const visitor = await app.launched()
    for (const path of ['/certificate/health-card/file', '/api/certificate/signed']) {
      const answer = await visitor.get(path, { accept: 'application/json' })
      expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'nothing_to_certify' }])
    }
    for (const path of ['/certificate', '/history', '/dashboard']) {
      expect(await (await visitor.get(path)).text()).toContain('Self-reported')
    }
  })

  it('marks every second-hand dose as self-reported, and says beside it who wrote it down', async () => {
    const origin = 'http://terminology.hl7.org/CodeSystem/immunization-origin'
    const written = { primarySource: false, reportOrigin: { coding: [{ system: origin, code: 'jurisdiction' }] } }
    resources().push(patient(), immunization('written', written))
    const visitor = await app.launched()
    expect(await visitor.json('/api/immunizations')).toMatchObject([{ patientReported: true }])
    for (const path of ['/history', '/dashboard']) {
      const page = await (await visitor.get(path)).text()
      expect(page).toContain('>Self-reported<')
      expect(page).toContain('>From another registry<')
    }
  })

  it('vouches for no dose that is dated in days to come or was too weak, shows both, and forecasts without them', async () => {
    const mr = { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '04', display: 'MR' }] }
    resources().push(
      patient(),
      immunization('weak', { isSubpotent: true }),
      immunization('to-come', { occurrenceDateTime: '2030-01-01', vaccineCode: mr }),
    )
    const visitor = await app.launched()
    for (const path of ['/certificate/health-card/file', '/api/certificate/signed']) {
      const answer = await visitor.get(path, { accept: 'application/json' })
      expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'nothing_to_certify' }])
    }
    const card = await (await visitor.get('/certificate/health-card')).text()
    expect(card).toContain(
      'nor those of reduced potency, of a meaning that is not certain or with a date that cannot be right',
    )
    const certificate = await (await visitor.get('/certificate')).text()
    for (const mark of ['Not full potency', 'Date cannot be right']) expect(certificate).toContain(mark)
    for (const path of ['/history', '/dashboard']) {
      expect(await (await visitor.get(path)).text()).toContain('Not full potency')
    }
    const found = await visitor.json<Records>('/api/recommendations')
    expect(found.filter(({ forecastStatus }) => forecastStatus === 'immune')).toEqual([])
    expect(await (await visitor.get('/recommendations')).text()).toContain('it was not of full potency')
  })

  it('vouches for no dose whose record says something that nobody here understands, and does not count it', async () => {
    const modifierExtension = [{ url: 'https://registry.example/not-given', valueBoolean: true }]
    resources().push(patient(), immunization('odd', { modifierExtension }))
    const visitor = await app.launched()
    for (const path of ['/certificate/health-card/file', '/api/certificate/signed']) {
      const answer = await visitor.get(path, { accept: 'application/json' })
      expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'nothing_to_certify' }])
    }
    for (const path of ['/certificate', '/history', '/dashboard']) {
      expect(await (await visitor.get(path)).text()).toContain('Meaning not certain')
    }
    const found = await visitor.json<Records>('/api/recommendations')
    expect(found.filter(({ forecastStatus }) => forecastStatus === 'immune')).toEqual([])
    expect(await (await visitor.get('/recommendations')).text()).toContain('something that this app cannot read')
  })

  it('bears the name that the patient bears now', async () => {
    const name: HumanName[] = [
      { use: 'official', family: 'Before', given: ['Ann'], period: { end: '2019-03-01' } },
      { use: 'official', family: 'After', given: ['Ann'], period: { start: '2019-03-01' } },
    ]
    resources().push(patient({ name }), immunization('a'))
    const visitor = await app.launched()
    const page = await (await visitor.get('/certificate')).text()
    expect(page).toContain('Ann After')
    expect(page).not.toContain('Before')
    const signed = await (await visitor.get('/api/certificate/signed')).text()
    expect(signed).toContain('AFTER')
  })

  it('bears the given names that are known, where another was not told', async () => {
    // In JSON the one of which only an extension is known is null.
    const name = [{ family: 'Otieno', given: [null, 'Zawadi', null, 'N'] }] as HumanName[]
    resources().push(patient({ name }), immunization('a'))
    const visitor = await app.launched()
    expect(await visitor.json('/api/summary')).toMatchObject({ patientName: 'Zawadi N Otieno' })
    const signed = await visitor.json<{ data: { msg: { pid: { n: string } } } }>('/api/certificate/signed')
    expect(signed.data.msg.pid.n).toBe('OTIENO<<ZAWADI<N')
    expect((await visitor.get('/certificate/health-card/file')).status).toBe(200)
  })

  it('has an id under which it is remembered, new each time', async () => {
    resources().push(patient(), ...doses(1))
    const visitor = await app.launched()
    const ids = await Promise.all(
      [1, 2].map(
        async () => /URN:UVCI:01:CORRIDOR:[0-9A-F]{16}/.exec(await (await visitor.get('/certificate')).text())?.[0],
      ),
    )
    expect(new Set(ids).size).toBe(2)
    const database = await openDatabase({ url: app.corridor.databaseUrl, poolMax: 1, log: app.corridor.log.log })
    const found = await Promise.all(ids.map((id) => findCertificate(id ?? '', database)))
    await database.close()
    expect(found).toMatchObject([{ patientId: 'p1' }, { patientId: 'p1' }])
  })

  it('leaves no id where nothing was handed out', async () => {
    const kept = async () => {
      const database = await openDatabase({ url: app.corridor.databaseUrl, poolMax: 1, log: app.corridor.log.log })
      const rows = await database.many(sql`select uvci from immunization.certificates`)
      await database.close()
      return rows.length
    }
    const statusesOf = async (...paths: readonly string[]) => {
      const visitor = await app.launched()
      return Promise.all(paths.map(async (path) => (await visitor.get(path)).status))
    }
    const before = await kept()
    resources().push(patient())
    expect(await statusesOf('/certificate', '/api/certificate/signed')).toEqual([200, 422])
    resources().splice(0, 9, patient({ name: [{ text: '阿' }] }), ...doses(60))
    expect(await statusesOf('/api/certificate/qr', '/api/certificate/qr?size=1', '/api/certificate/signed')).toEqual([
      500, 400, 422,
    ])
    expect(await kept()).toBe(before)
  })

  it('names days as exactly as they are known, on paper too, and pads them only where a day must stand', async () => {
    resources().push(
      patient({ birthDate: '1962' }),
      immunization('month', { occurrenceDateTime: '1999-02', primarySource: false }),
      immunization('year', { occurrenceDateTime: '1985' }),
    )
    const visitor = await app.launched()
    const page = await (await visitor.get('/certificate')).text()
    const days = [...page.matchAll(/<time[^>]*datetime="([^"]*)"/gi)].map(([, day]) => day)
    expect(new Set(days)).toEqual(new Set(['1962', '1999-02', '1985', days.find((day) => day?.length === 10)]))
    expect(page).toContain('&quot;dvc&quot;:&quot;1999-02-01&quot;')
    expect(await visitor.json('/api/summary')).toMatchObject({ patientDob: null })
    const dashboard = await (await visitor.get('/dashboard')).text()
    expect(dashboard).toContain('datetime="1962"')
    expect(dashboard).toContain('BCG: Given 1985; Self-reported Feb 1999')
    expect(dashboard, 'a point that parts nothing from the badge').not.toContain('detail"><span></span>')
  })

  it('is of the others where a store has a day that no calendar has', async () => {
    resources().push(patient(), immunization('a'), immunization('b', { occurrenceDateTime: '2024-13-01' }))
    const page = await (await app.launched()).get('/certificate')
    expect(page.status).toBe(200)
    expect((await page.text()).match(/<time[^>]*datetime="2024-[^0]/gi)).toBe(null)
  })

  it('says that there is nothing to certify', async () => {
    resources().push(patient())
    expect(await (await (await app.launched()).get('/certificate')).text()).toContain('Nothing to certify yet')
  })
})

/** Twelve vaccines at most, with as many doses as it takes. */
const doses = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    immunization(`d${at}`, {
      vaccineCode: { coding: [{ code: `V${at % 12}`, display: `A vaccine with a long name, number ${at % 12}` }] },
      lotNumber: `LOT-${at}`,
      performer: [{ actor: { display: 'A health centre far away' } }],
    }),
  )
