import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Patient } from '../../../ports/fhir-store/resources.ts'
import { goldenTag } from '../../../ports/patient-index/golden-link.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let auth: TestAuth
let browser: TestBrowser
beforeAll(async () => {
  auth = await startTestAuth()
  browser = auth.browser()
  await browser.signIn()
})
afterAll(() => auth?.[Symbol.asyncDispose]())
beforeEach(() => {
  auth.fhir.unknown.clear()
  auth.fhir.stored.splice(0, auth.fhir.stored.length, ...others, golden, record('one', 'A-1', 'golden'))
})

const refer = (to: string) => ({ type: 'refer' as const, other: { reference: `Patient/${to}` } })

/** Of a person of this golden record; of nobody's where none is said. */
const record = (id: string, number: string, person?: string, members: Partial<Patient> = {}): Patient => ({
  resourceType: 'Patient',
  id,
  name: [{ given: ['Zawadi'], family: 'Otieno' }],
  identifier: [{ type: { text: 'MRN' }, value: number }],
  ...(person === undefined ? {} : { link: [refer(person)] }),
  ...members,
})

const golden: Patient = { resourceType: 'Patient', id: 'golden', meta: { tag: [goldenTag] } }
const kept = { managingOrganization: { reference: 'Organization/harbour' } }
const others = [
  { resourceType: 'Organization', id: 'harbour', name: 'Harbour Clinic' },
  record('namesake', 'N-1', 'another-golden'),
  record('alone', 'N-2'),
]

async function warningOf(id: string): Promise<string | undefined> {
  const page = await (await browser.get(`/portal/patients/${id}`)).text()
  const [, warning] = /<p class="patient-warning">(.*?)<\/p>/s.exec(page) ?? []
  return warning?.replaceAll(/<a href="([^"]*)">/g, '[$1] ').replaceAll(/<[^>]*>/g, '')
}

const isTold = 'An app shows the record that it is opened for, and no other.'

describe('the page of a patient who has a record elsewhere', () => {
  it('says where, under which number, and leads there', async () => {
    auth.fhir.stored.push(record('two', 'B-2', 'golden', kept))
    expect(await warningOf('one')).toBe(
      `This person also has a record at [/portal/patients/two] Harbour Clinic (MRN B-2). ${isTold}`,
    )
    expect(await warningOf('two')).toContain('[/portal/patients/one] another facility (MRN A-1).')
  })

  it('finds those that refer to a record without a golden one, and that record from them', async () => {
    auth.fhir.stored.push(record('first', 'F-1'), record('later', 'L-1', 'first'))
    expect(await warningOf('first')).toContain('[/portal/patients/later]')
    expect(await warningOf('later')).toContain('[/portal/patients/first]')
  })

  it('finds those that a message has linked to it', async () => {
    const link = [{ ...refer('one'), type: 'seealso' as const }]
    auth.fhir.stored.push(record('linked', 'L-1', undefined, { link }))
    expect(await warningOf('one')).toContain('[/portal/patients/linked]')
  })

  it.each([
    ['is not in use', { active: false }],
    ['was merged into another', { link: [refer('golden'), { ...refer('one'), type: 'replaced-by' as const }] }],
  ])('names none that %s', async (_why, members) => {
    auth.fhir.stored.push(record('two', 'B-2', 'golden', members))
    expect(await warningOf('one')).toBeUndefined()
  })

  it('warns of nothing where there is one record alone, or a namesake', async () => {
    expect(await warningOf('one')).toBeUndefined()
    expect(await warningOf('alone')).toBeUndefined()
  })

  it.each(['ignored', 'refused'] as const)(
    'opens, and takes nobody for the same person, on a server by which a search by link is %s',
    async (what) => {
      auth.fhir.unknown.set('link', what)
      expect((await browser.get('/portal/patients/one')).status).toBe(200)
      expect(await warningOf('one')).toBeUndefined()
    },
  )

  it.each([
    [20, false],
    [21, true],
  ])('names twenty at most: of %i it says that there are others: %s', async (count, said) => {
    auth.fhir.stored.push(...Array.from({ length: count }, (_, at) => record(`more-${at}`, `M-${at}`, 'golden')))
    const warning = await warningOf('one')
    expect(warning?.match(/\[/g)).toHaveLength(20)
    expect(warning?.includes(' and others.')).toBe(said)
  })
})

describe('a list of patients', () => {
  const rowOf = async (id: string): Promise<string> => {
    const page = await (await browser.get('/portal?search=Otieno')).text()
    return page.split('<tr').find((row) => row.includes(`/portal/patients/${id}"`)) ?? ''
  }

  it('marks the records of one person, each with the numbers of the others, and no namesake', async () => {
    auth.fhir.stored.push(record('two', 'B-2', 'golden'))
    const marked = /Another record of this person is in this list.*?<\/div>/s
    expect(marked.exec(await rowOf('one'))?.[0]).toContain('B-2')
    expect(marked.exec(await rowOf('two'))?.[0]).toContain('A-1')
    expect(await rowOf('namesake')).not.toMatch(marked)
    expect(await rowOf('alone')).not.toMatch(marked)
  })
})
