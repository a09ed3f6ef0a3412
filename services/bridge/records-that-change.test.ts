import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  Account,
  AllergyIntolerance,
  Bundle,
  Condition,
  DiagnosticReport,
  DocumentReference,
  Encounter,
  FhirResource,
  MedicationRequest,
  Observation,
  Patient,
  Practitioner,
  PractitionerRole,
  ServiceRequest,
  Slot,
} from '../../packages/fhir/r4.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import type { ChannelId } from './pipeline/channel.ts'

describe('records that are merged, linked, moved and ended', () => {
  let corridor: TestCorridor
  let authorization: string
  let sent = 0

  beforeAll(async () => {
    corridor = await testCorridor()
    authorization = await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.read system/*.write' })
  })
  afterAll(() => corridor[Symbol.asyncDispose]())

  /** Sends a message, each a second after the one before, and gives its transaction and its answer. */
  async function send(channel: ChannelId, type: string, ...segments: readonly string[]) {
    await using his = await openHl7Sender({
      host: '127.0.0.1',
      port: corridor.configuration.bridge.channels[channel].port,
    })
    const controlId = `RTC-${++sent}`
    const time = `2026030410${15 + Math.floor(sent / 60)}${String(sent % 60).padStart(2, '0')}`
    const [event = '', facility = 'CENTRAL'] = type.split('@')
    const header = `MSH|^~\\&|PAS|${facility}|||${time}||${event}|${controlId}|P|2.5.1`
    const answer = await his.send(`${[header, `EVN||${time}`, ...segments].join('\r')}\r`)
    const { content } = await get<{ content: Transaction[] }>(
      `${corridor.url('bridge')}/api/transactions?controlId=${controlId}`,
    )
    return { ...answer, transaction: content[0] }
  }

  interface Transaction {
    readonly patient: string | null
    readonly goldenPatientId: string | null
  }

  async function get<T>(url: string): Promise<T> {
    const answer = await fetch(url, { headers: { authorization } })
    return (await answer.json()) as T
  }

  async function find<T extends FhirResource>(query: string): Promise<T[]> {
    const { entry = [] } = await get<Bundle<T>>(`${corridor.url('fhir')}/${query}`)
    return entry.map(({ resource }) => resource as T)
  }

  const idOf = async (number: string): Promise<string> => (await patients(number))[0]?.id ?? 'nobody'
  const patients = (number: string) => find<Patient>(`Patient?identifier=${number}`)
  const goldenOf = ({ link }: Patient) => link?.find(({ type }) => type === 'refer')?.other.reference

  /** Golden records of which somebody is asked whether they are one person. */
  async function pairsInReview(): Promise<string[][]> {
    const admin = await corridor.bearerFor({ role: 'ADMIN', scope: 'openid user/Patient.rs' })
    const reviews = await fetch(`${new URL(corridor.url('fhir')).origin}/api/patient-index/reviews?size=200`, {
      headers: { authorization: admin },
    })
    const { content } = (await reviews.json()) as { content: { goldenId: string; candidateGoldenId: string }[] }
    return content.map(({ goldenId, candidateGoldenId }) => [goldenId, candidateGoldenId].sort())
  }

  /** Two people who are nobody's likeness. */
  const people: Readonly<Record<string, string>> = {
    'RTC-A': 'Okonkwo^Adaeze||19510213|F',
    'RTC-B': 'Lindqvist^Torbjorn||19780930|M',
    'RTC-C': 'Farrugia^Consiglia||19660606|F',
    'RTC-D': 'Watanabe^Kenji||19910111|M',
    'RTC-E': 'Papadakis^Eleni||19491231|F',
    'RTC-F': 'Mbeki^Sipho||20010820|M',
    'RTC-G': 'Haugen^Solveig||19370417|F',
    'RTC-H': 'Costa^Joaquim||19840522|M',
    'RTC-I': 'Nakamura^Hanako||19530708|F',
    'RTC-J': 'Oduya^Emeka||19990125|M',
    'RTC-K': 'Vella^Karmnu||19620917|M',
    'RTC-L': 'Sørensen^Ingrid||19760329|F',
    'RTC-M': 'Achieng^Beatrice||19881104|F',
    'RTC-N': 'Dubois^Etienne||19440601|M',
    'RTC-O': 'Ramgoolam^Priya||19710815|F',
    'RTC-P': 'Kowalski^Zbigniew||19590303|M',
    'RTC-Q': 'Vasquez^Imelda||19720315|F',
    'RTC-R': 'Thorvaldsen^Gudrun||19550505|F',
    'RTC-S': 'Thorvaldsen^Gudrun||19550505|F',
    'RTC-T': 'Chikwanha^Tendai||19671109|M',
    'RTC-U': 'Grabowska^Urszula||19941223|F',
    'RTC-MUM': 'Grima^Doris||19910620|F',
    'RTC-ONE': 'Nwosu^Chidinma||19831030|F',
    'RTC-X': 'Ferreira^Anselmo||19480229|M',
    'RTC-Y': 'Zahradnik^Bohumil||19360812|M',
    'RTC-Z': 'Mukherjee^Anindita||19790627|F',
  }
  const pid = (number: string) => `PID|1||${number}^^^CENTRAL^MR||${people[number]}`
  const register = async (...numbers: readonly string[]) => {
    for (const number of numbers) expect(await send('adt', 'ADT^A28', pid(number))).toMatchObject({ ackCode: 'AA' })
  }

  it('keep their golden records when one is merged into the other', async () => {
    await register('RTC-A', 'RTC-B')
    const before = (await Promise.all(['RTC-A', 'RTC-B'].map(patients))).flat()
    await send('adt', 'ADT^A40', pid('RTC-B'), 'MRG|RTC-A^^^CENTRAL^MR')
    const after = (await Promise.all(['RTC-A', 'RTC-B'].map(patients))).flat()
    expect(after.map(({ active }) => active)).toEqual([false, true])
    expect(after.map(goldenOf)).toEqual(before.map(goldenOf))
  })

  it('are left alone where two of them have the number of a message, and its sender is told', async () => {
    await register('RTC-Q')
    const [first] = await patients('RTC-Q')
    const { identifier } = first ?? {}
    const second = { resourceType: 'Patient', identifier, active: true }
    const headers = { authorization, 'content-type': 'application/fhir+json' }
    const made = await fetch(`${corridor.url('fhir')}/Patient`, {
      method: 'POST',
      headers,
      body: JSON.stringify(second),
    })
    expect(made.status).toBe(201)
    const before = await patients('RTC-Q')
    const { ackCode, text } = await send('adt', 'ADT^A28', `${pid('RTC-Q')}|||9 Long St`)
    expect(ackCode).toBe('AE')
    expect(text).toContain('belongs to several resources of the FHIR store')
    expect(await patients('RTC-Q')).toEqual(before)
  })

  it('keep their golden records where one is sent with a number of the other, and somebody has to decide', async () => {
    await register('RTC-T', 'RTC-U')
    const [one, other] = (await Promise.all(['RTC-T', 'RTC-U'].map(patients))).flat()
    const goldenIds = [one, other].map((record) => (record && goldenOf(record)?.replace('Patient/', '')) ?? '')
    const twice = pid('RTC-T').replace('||RTC-T', '||RTC-U^^^CENTRAL^PN~RTC-T')
    const { transaction } = await send('adt', 'ADT^A31', twice)
    expect(transaction).toMatchObject({ patient: `Patient/${one?.id}`, goldenPatientId: goldenIds[0] })
    expect((await patients('RTC-T'))[0]).toMatchObject({ identifier: [{}, {}], link: one?.link })
    expect((await patients('RTC-U')).find(({ id }) => id === other?.id)).toEqual(other)
    expect(await pairsInReview()).toContainEqual(goldenIds.toSorted())
  })

  it('are two where a child is sent with the number of its mother, and somebody is asked about them', async () => {
    await register('RTC-MUM')
    const list = 'RTC-KID^^^CENTRAL^MR~RTC-MUM^^^CENTRAL^MR'
    const { transaction } = await send('adt', 'ADT^A28', `PID|1||${list}||Grima^Luca||20260228|M`)
    const [mother, child] = (await Promise.all(['RTC-MUM', 'RTC-KID'].map(patients))).flat()
    const golden = [mother, child].map((record) => (record && goldenOf(record)?.replace('Patient/', '')) ?? '')
    expect(child).toMatchObject({ identifier: [{ value: 'RTC-KID' }] })
    expect(transaction?.goldenPatientId).toBe(golden[1])
    expect(golden[1]).not.toBe(golden[0])
    expect(await pairsInReview()).toContainEqual(golden.toSorted())
    const [before, later] = [child, await send('adt', 'ADT^A31', `PID|1||${list}||Grima^Lukas||20260228|M`)]
    expect(later.transaction?.goldenPatientId).toBe(golden[1])
    expect((await patients('RTC-KID'))[0]).toMatchObject({ name: [{ given: ['Lukas'] }], link: before?.link })
  })

  it('are two where a newborn has the insurance number of the father', async () => {
    const insured = (number: string, rest: string) =>
      `PID|1||${number}^^^CENTRAL^MR||${rest}${'|'.repeat(19 - 8)}RTC-SVNR`
    await send('adt', 'ADT^A28', insured('RTC-DAD', 'Brincat^Leli||19880704|M'))
    await send('adt', 'ADT^A28', insured('RTC-BABY', 'Brincat^Nina||20260301|F'))
    const [father, newborn] = (await Promise.all(['RTC-DAD', 'RTC-BABY'].map(patients))).flat()
    expect(newborn && goldenOf(newborn)).not.toBe(father && goldenOf(father))
  })

  it('keep their golden record where a name is corrected, also without a number of a hospital', async () => {
    for (const number of ['RTC-7V^^^NATID^NI', 'RTC-W^^^CENTRAL^AN']) {
      const named = (given: string) => `PID|1||${number}||Zammit^${given}||19830214|F`
      const [value = ''] = number.split('^')
      await send('adt', 'ADT^A28', named('Marija'))
      const [before] = await patients(value)
      const { transaction } = await send('adt', 'ADT^A31', named('Konstantina'))
      const after = await patients(value)
      expect(after).toMatchObject([{ id: before?.id, name: [{ given: ['Konstantina'] }], link: before?.link }])
      expect(transaction?.goldenPatientId).toBe(before && goldenOf(before)?.replace('Patient/', ''))
    }
  })

  it('are merged where both have one number, which stays with the one who stays', async () => {
    const both = (number: string) => pid(number).replace('^MR', '^MR~RTC-NAT7^^^NATID^NI')
    for (const number of ['RTC-R', 'RTC-S']) await send('adt', 'ADT^A28', both(number))
    const merge = await send('adt', 'ADT^A40', both('RTC-R'), 'MRG|RTC-S^^^CENTRAL^MR~RTC-NAT7^^^NATID^NI')
    expect(merge).toMatchObject({ ackCode: 'AA' })
    const [stays, goes] = (await Promise.all(['RTC-R', 'RTC-S'].map(patients))).flat()
    expect(stays).toMatchObject({ active: true, identifier: [{ value: 'RTC-R' }, { value: 'RTC-NAT7' }] })
    expect(stays?.identifier?.map(({ use }) => use)).toEqual([undefined, undefined])
    expect(goes).toMatchObject({ active: false })
    expect(goes?.link).toContainEqual(
      expect.objectContaining({
        type: 'replaced-by',
        other: expect.objectContaining({ reference: `Patient/${stays?.id}` }) as unknown,
      }),
    )
    // A number that only the store knows to be the survivor's ends nobody.
    await send('adt', 'ADT^A40', pid('RTC-R'), 'MRG|RTC-NAT7^^^NATID^NI')
    expect((await patients('RTC-R'))[0]).toMatchObject({ active: true, link: stays?.link })
  })

  it('share the golden record of the one who stays, where nobody knew the one who goes', async () => {
    await send('adt', 'ADT^A40', pid('RTC-B'), 'MRG|RTC-UNKNOWN^^^CENTRAL^MR')
    const [survivor, gone] = (await Promise.all(['RTC-B', 'RTC-UNKNOWN'].map(patients))).flat()
    expect(gone?.active).toBe(false)
    expect(gone && goldenOf(gone)).toBe(survivor && goldenOf(survivor))
  })

  it('do not get a number back that went with a merge, whoever still writes to it', async () => {
    const [before] = await patients('RTC-B')
    const late = await send('adt', 'ADT^A31', pid('RTC-A').replace('Adaeze', 'Chioma'))
    const [survivor] = await patients('RTC-B')
    expect(survivor?.name?.[0]?.given).toEqual(['Chioma'])
    expect(survivor?.identifier?.map(({ value }) => value)).toEqual(['RTC-B'])
    expect(survivor && goldenOf(survivor)).toBe(before && goldenOf(before))
    expect(late.transaction).toMatchObject({
      patient: `Patient/${survivor?.id}`,
      goldenPatientId: before && goldenOf(before)?.replace('Patient/', ''),
    })
    expect(await patients('RTC-A')).toHaveLength(1)
  })

  it('are found through every merge that was since', async () => {
    await register('RTC-C')
    await send('adt', 'ADT^A40', pid('RTC-C'), 'MRG|RTC-B^^^CENTRAL^MR')
    await send('adt', 'ADT^A31', pid('RTC-A').replace('Adaeze', 'Ngozi'))
    const [last] = await patients('RTC-C')
    expect(last).toMatchObject({ active: true, name: [{ given: ['Ngozi'] }] })
    expect(last?.identifier).toHaveLength(1)
  })

  it('leave the account with the patient to whom it is moved, and nobody else', async () => {
    await register('RTC-D', 'RTC-E')
    const withAccount = (number: string) => `${pid(number)}${'|'.repeat(18 - 8)}RTC-ACC^^^CENTRAL`
    await send('adt', 'ADT^A01', withAccount('RTC-D'), `PV1|1|I|3W${'|'.repeat(19 - 3)}RTC-V6^^^CENTRAL`)
    await send('adt', 'ADT^A44', withAccount('RTC-E'), 'MRG|RTC-D^^^CENTRAL^MR||RTC-ACC^^^CENTRAL')
    const [account] = await find<Account>('Account?identifier=RTC-ACC')
    expect(account?.subject?.map(({ reference }) => reference)).toEqual([`Patient/${await idOf('RTC-E')}`])
    const [visit] = await find<Encounter>('Encounter?identifier=RTC-V6')
    expect(visit?.subject?.reference).toBe(`Patient/${await idOf('RTC-E')}`)
  })

  it('keep what is known of their numbers when they are unlinked, and the first is who it is about', async () => {
    await register('RTC-F', 'RTC-G')
    await send('adt', 'ADT^A24', pid('RTC-F'), pid('RTC-G'))
    const { transaction } = await send('adt', 'ADT^A37', pid('RTC-F'), pid('RTC-G'))
    const [first, second] = (await Promise.all(['RTC-F', 'RTC-G'].map(patients))).flat()
    for (const one of [first, second]) {
      expect(one?.identifier).toMatchObject([{ type: { coding: [{ code: 'MR' }] } }])
      expect(one?.link?.map(({ type }) => type)).toEqual(['refer'])
    }
    expect(transaction).toMatchObject({
      patient: `Patient/${first?.id}`,
      goldenPatientId: first && goldenOf(first)?.replace('Patient/', ''),
    })
  })

  it('are told by who gets a number that is moved, and both keep their golden records', async () => {
    await register('RTC-H')
    await send('adt', 'ADT^A31', pid('RTC-G').replace('^MR', '^MR~RTC-G2^^^CENTRAL^MR'))
    const before = (await Promise.all(['RTC-G', 'RTC-H'].map(patients))).flat()
    const { transaction } = await send('adt', 'ADT^A43', pid('RTC-H'), 'MRG|RTC-G2^^^CENTRAL^MR')
    const after = (await Promise.all(['RTC-G', 'RTC-H'].map(patients))).flat()
    expect(after.map(({ identifier }) => identifier?.map(({ value }) => value))).toEqual([
      ['RTC-G'],
      ['RTC-H', 'RTC-G2'],
    ])
    expect(after.map(goldenOf)).toEqual(before.map(goldenOf))
    expect(transaction).toMatchObject({
      patient: `Patient/${after[1]?.id}`,
      goldenPatientId: after[1] && goldenOf(after[1])?.replace('Patient/', ''),
    })
  })

  const subjects = async (query: string) => {
    const found = await find<Observation | DiagnosticReport | ServiceRequest | Condition>(query)
    return found.map(({ subject, encounter }) => [subject?.reference, encounter?.reference])
  }

  it('take along with a visit what was found and done in it, and leave what was not', async () => {
    await register('RTC-I', 'RTC-J')
    const visit = (number: string) => `PV1|1|I|3W${'|'.repeat(19 - 3)}${number}^^^CENTRAL`
    await send('adt', 'ADT^A01', pid('RTC-I'), visit('RTC-V1'), 'DG1|1||I21.0^Infarction^I10')
    const results = (number: string) => [
      `OBR|1|RTC-P${number}|RTC-F${number}|58410-2^CBC^LN`,
      'OBX|1|NM|718-7^Hb^LN||9',
    ]
    await send('oru', 'ORU^R01', pid('RTC-I'), visit('RTC-V1'), 'ORC|RE', ...results('1'))
    await send('oru', 'ORU^R01', pid('RTC-I'), ...results('2'))
    const [wrong, right] = [await idOf('RTC-I'), await idOf('RTC-J')]
    await send('adt', 'ADT^A45', pid('RTC-J'), 'MRG|RTC-I^^^CENTRAL^MR||||RTC-V1^^^CENTRAL', visit('RTC-V1'))
    const [encounter] = await find<Encounter>('Encounter?identifier=RTC-V1')
    expect(encounter?.subject?.reference).toBe(`Patient/${right}`)
    const there = [[`Patient/${right}`, `Encounter/${encounter?.id}`]]
    for (const type of ['Condition', 'Observation', 'DiagnosticReport', 'ServiceRequest']) {
      expect(await subjects(`${type}?patient=${right}`)).toEqual(there)
    }
    expect(await subjects(`Observation?patient=${wrong}`)).toEqual([[`Patient/${wrong}`, undefined]])
  })

  it('have in one visit what was found in both, when one is merged into the other', async () => {
    await register('RTC-Y')
    const visit = (number: string) => `PV1|1|I|3W${'|'.repeat(19 - 3)}${number}^^^CENTRAL`
    await send('adt', 'ADT^A01', pid('RTC-Y'), visit('RTC-V4'), 'DG1|1||I21.0^Infarction^I10')
    await send('adt', 'ADT^A01', pid('RTC-Y'), visit('RTC-V5'))
    const results = (number: string) => [`OBR|1||RTC-F${number}|58410-2^CBC^LN`, 'OBX|1|NM|718-7^Hb^LN||9']
    await send('oru', 'ORU^R01', pid('RTC-Y'), visit('RTC-V4'), ...results('8'))
    await send('adt', 'ADT^A42', pid('RTC-Y'), 'MRG|RTC-Y^^^CENTRAL^MR||||RTC-V4^^^CENTRAL', visit('RTC-V5'))
    await send('oru', 'ORU^R01', pid('RTC-Y'), visit('RTC-V4'), ...results('9'))
    const [encounter] = await find<Encounter>('Encounter?identifier=RTC-V5')
    const there = [`Patient/${await idOf('RTC-Y')}`, `Encounter/${encounter?.id}`]
    expect(await subjects(`Condition?encounter=${encounter?.id}`)).toEqual([there])
    for (const type of ['Observation', 'DiagnosticReport'])
      expect(await subjects(`${type}?encounter=${encounter?.id}`)).toEqual([there, there])
  })

  it('leave the visit of the wrong patient with what is sent again for the right one, and take its order along', async () => {
    await register('RTC-K', 'RTC-L')
    const visit = `PV1|1|I|3W${'|'.repeat(19 - 3)}RTC-V2^^^CENTRAL`
    const results = ['ORC|RE|RTC-P3|RTC-F3', 'OBR|1|RTC-P3|RTC-F3|58410-2^CBC^LN', 'OBX|1|NM|718-7^Hb^LN||9']
    await send('adt', 'ADT^A01', pid('RTC-K'), visit)
    await send('oru', 'ORU^R01', pid('RTC-K'), visit, ...results)
    await send('oru', 'ORU^R01', pid('RTC-L'), ...results)
    const right = await idOf('RTC-L')
    for (const type of ['Observation', 'DiagnosticReport', 'ServiceRequest']) {
      expect(await subjects(`${type}?patient=${right}`)).toEqual([[`Patient/${right}`, undefined]])
    }
  })

  it('keep the visit of what is sent again under the number of the patient into whom theirs was merged', async () => {
    await register('RTC-M', 'RTC-N')
    const visit = `PV1|1|I|3W${'|'.repeat(19 - 3)}RTC-V3^^^CENTRAL`
    const results = ['OBR|1||RTC-F4|58410-2^CBC^LN', 'OBX|1|NM|718-7^Hb^LN||9']
    await send('adt', 'ADT^A01', pid('RTC-M'), visit)
    await send('oru', 'ORU^R01', pid('RTC-M'), visit, ...results)
    await send('adt', 'ADT^A40', pid('RTC-N'), 'MRG|RTC-M^^^CENTRAL^MR')
    await send('oru', 'ORU^R01', pid('RTC-N'), ...results)
    const [encounter] = await find<Encounter>('Encounter?identifier=RTC-V3')
    const survivor = await idOf('RTC-N')
    expect(await subjects(`Observation?patient=${survivor}`)).toEqual([
      [`Patient/${survivor}`, `Encounter/${encounter?.id}`],
    ])
  })

  it('have in one place what is known of the patient, soon after one was merged into the other', async () => {
    await register('RTC-O', 'RTC-P')
    await send('adt', 'ADT^A31', pid('RTC-O'), 'AL1|1|DA|70618^Penicillin^RXNORM|SV')
    await send('adt', 'ADT^A40', pid('RTC-P'), 'MRG|RTC-O^^^CENTRAL^MR')
    const survivor = await idOf('RTC-P')
    await expect
      .poll(() => find<AllergyIntolerance>(`AllergyIntolerance?patient=${survivor}`), { timeout: 10_000 })
      .toMatchObject([{ code: { text: 'Penicillin' } }])
  })

  it('have no document of a result that has another value now, or was taken back', async () => {
    const results = (status: string, ...obx: readonly string[]) => [
      pid('RTC-R'),
      `OBR|1||RTC-F5|11502-2^Report^LN|||20260304${'|'.repeat(25 - 7)}${status}`,
      ...obx,
    ]
    const file = (code: string, status: string) =>
      `OBX|1|ED|${code}^Report^L||^application^pdf^Base64^JVBERi0xLjQK||||||${status}`
    const patient = await idOf('RTC-R')
    const documents = async () =>
      (await find<DocumentReference>(`DocumentReference?patient=${patient}`))
        .map(({ type, status }) => `${type?.coding?.[0]?.code} ${status}`)
        .sort()
    const report = async () => (await find<DiagnosticReport>(`DiagnosticReport?patient=${patient}`))[0]
    await send('oru', 'ORU^R01', ...results('P', file('A', 'P'), file('B', 'P'), file('C', 'P')))
    expect(await documents()).toEqual(['A current', 'B current', 'C current'])
    expect((await report())?.presentedForm).toHaveLength(3)
    const text = 'OBX|1|TX|A^Report^L||No malignancy||||||F'
    await send('oru', 'ORU^R01', ...results('F', text, 'OBX|2|ED|B^Report^L||||||||W', file('C', 'F')))
    expect(await documents()).toEqual(['A superseded', 'B entered-in-error', 'C current'])
    expect((await report())?.presentedForm).toHaveLength(1)
    expect((await report())?.result).toHaveLength(2)
  })

  it('have no result of a report that was cancelled, and no current document that was replaced before it came', async () => {
    await register('RTC-Z')
    const patient = await idOf('RTC-Z')
    const report = (status: string) => `OBR|1||RTC-F6|58410-2^CBC^LN|||20260304${'|'.repeat(25 - 7)}${status}`
    await send('oru', 'ORU^R01', pid('RTC-Z'), report('F'), 'OBX|1|NM|718-7^Hb^LN||6|g/dL||LL|||F')
    expect(await send('oru', 'ORU^R01', pid('RTC-Z'), report('X'))).toMatchObject({ ackCode: 'AA' })
    const [result] = await find<Observation>(`Observation?patient=${patient}`)
    expect(result).toMatchObject({ status: 'cancelled' })
    expect(result).not.toHaveProperty('valueQuantity')
    const document = (number: string, parent = '') =>
      `TXA|1|DS^Summary|FT|||20260304100000||||||${number}^TRANS|${parent}`
    const text = 'OBX|1|TX|11493-4^Course^LN||words'
    await send('mdm', 'MDM^T10', pid('RTC-Z'), document('RTC-D2', 'RTC-D1^TRANS'), text)
    await send('mdm', 'MDM^T02', pid('RTC-Z'), document('RTC-D1'), text)
    const documents = async () => {
      const found = await find<DocumentReference>(`DocumentReference?patient=${patient}`)
      return found.map(({ masterIdentifier, status }) => `${masterIdentifier?.value} ${status}`).sort()
    }
    expect(await documents()).toEqual(['RTC-D1 superseded', 'RTC-D2 current'])
    await send('mdm', 'MDM^T11', pid('RTC-Z'), document('RTC-D2'))
    expect(await documents()).toEqual(['RTC-D1 current', 'RTC-D2 entered-in-error'])
  })

  it('have no reaction to a dose that was never given', async () => {
    const dose = (action: string, ...obx: readonly string[]) =>
      send(
        ...(['adt', 'VXU^V04', pid('RTC-Z'), 'ORC|RE||RTC-I1^REG'] as const),
        ...[`RXA|0|1|20260304||08^HepB^CVX|0.5|mL${'|'.repeat(20 - 7)}CP|${action}`, ...obx],
      )
    await dose('A', 'OBX|1|CE|31044-1^Reaction^LN|1|VXC9^fever^CDCPHINVS||||||F')
    await dose('D')
    const found = await find<Observation>(`Observation?patient=${await idOf('RTC-Z')}&code=31044-1`)
    expect(found.map(({ status }) => status)).toEqual(['entered-in-error'])
  })

  it('free the slot of a doctor who is not needed any more, and of whom a cancellation does not name', async () => {
    const booking = (trigger: string, ...doctors: readonly string[]) =>
      send(
        ...(['siu', `SIU^${trigger}`, 'SCH||RTC-A1^SCHED|||||||30|MIN|^^30^20260310090000', pid('RTC-X')] as const),
        ...doctors.map((doctor) => `AIP|1||${doctor}^Okafor^Chidi^^^^^^CENTRAL|||20260310090000|||30|MIN`),
      )
    const slots = async (doctor: string) => {
      const found = await find<Slot>(`Slot?schedule.actor:Practitioner.identifier=${doctor}`)
      return found.map(({ status }) => status)
    }
    await booking('S12', 'RTC-S2')
    expect(await slots('RTC-S2')).toEqual(['busy'])
    await booking('S14', 'RTC-S3')
    expect([await slots('RTC-S2'), await slots('RTC-S3')]).toEqual([['free'], ['busy']])
    expect(await booking('S15')).toMatchObject({ ackCode: 'AA' })
    expect(await slots('RTC-S3')).toEqual(['free'])
  })

  it('have no active prescription that was cancelled by its number alone', async () => {
    const orders = async () => {
      const found = await find<MedicationRequest>('MedicationRequest?identifier=RTC-RX1')
      return found.map(({ status, subject }) => [status, subject.reference])
    }
    await send('rde', 'RDE^O11', pid('RTC-X'), 'ORC|NW|RTC-RX1^HIS', 'RXE||197361^Amlodipine^RXNORM|5||mg')
    const patient = `Patient/${await idOf('RTC-X')}`
    expect(await orders()).toEqual([['active', patient]])
    expect(await send('orm', 'ORM^O01', pid('RTC-X'), 'ORC|CA|RTC-RX1^HIS')).toMatchObject({ ackCode: 'AA' })
    expect(await orders()).toEqual([['cancelled', patient]])
    expect(await find<ServiceRequest>('ServiceRequest?identifier=RTC-RX1')).toEqual([])
    await send('rde', 'RDE^O11', pid('RTC-X'), 'ORC|RL|RTC-RX1^HIS')
    expect(await orders()).toEqual([['active', patient]])
  })

  it('end with somebody who has left, also where the message does not name them, and not elsewhere', async () => {
    const staff = (event: string, departments: string) => [
      'MFI|STF||UPD|||AL',
      `MFE|${event}|R1||RTC-S1|CWE`,
      `STF|RTC-S1|RTC-S1^^^&1.2.3.4.5&ISO|Okafor^Chidi|||||${departments}`,
    ]
    await send('mfn', 'MFN^M02', ...staff('MAD', 'CAR^Cardiology~ICU^Intensive care'))
    await send('mfn', 'MFN^M02@LAKESIDE', ...staff('MAD', 'OPD^Outpatients'))
    const roles = async () => {
      const found = await find<PractitionerRole>('PractitionerRole?practitioner.identifier=RTC-S1')
      return found.map(({ organization, active }) => `${organization?.display} ${active}`).sort()
    }
    expect(await roles()).toEqual(['Cardiology true', 'Intensive care true', 'Outpatients true'])
    await send('mfn', 'MFN^M02', ...staff('MUP', 'ICU^Intensive care'))
    expect(await roles()).toEqual(['Cardiology false', 'Intensive care true', 'Outpatients true'])
    await send('mfn', 'MFN^M02', ...staff('MUP', 'CAR^Cardiology'))
    expect(await roles()).toEqual(['Cardiology true', 'Intensive care false', 'Outpatients true'])
    await send('mfn', 'MFN^M02', ...staff('MDC', '').slice(0, 2))
    await send('mfn', 'MFN^M02', ...staff('MUP', 'CAR^Cardiology'))
    expect(await roles()).toEqual(['Cardiology false', 'Intensive care false', 'Outpatients true'])
    await send('mfn', 'MFN^M02', ...staff('MAD', 'CAR^Cardiology'))
    expect(await roles()).toEqual(['Cardiology true', 'Intensive care false', 'Outpatients true'])
    expect(await find<Practitioner>('Practitioner?identifier=RTC-S1')).toMatchObject([{ active: true }])
  })

  it('are one order, one report and one result, whichever of their numbers a message has', async () => {
    await register('RTC-ONE')
    const result = (orc: string, value: string, status: string) => [
      ...[pid('RTC-ONE'), `ORC|RE|${orc}`, `OBR|1|${orc}|K^Potassium^L|||20260304${'|'.repeat(18)}${status}`],
      `OBX|1|NM|K^Potassium^L||${value}|mmol/L|||||${status}`,
    ]
    await send('orm', 'ORM^O01', pid('RTC-ONE'), 'ORC|NW|RTC-P^HIS', 'OBR|1|RTC-P^HIS||K^Potassium^L')
    for (const [orc, value, status] of [
      ['RTC-P^HIS|', '7.1', 'P'],
      ['RTC-P^HIS|RTC-F^LAB', '7.2', 'F'],
      ['|RTC-F^LAB', '4.1', 'C'],
    ] as const) {
      expect(await send('oru', 'ORU^R01', ...result(orc, value, status))).toMatchObject({ ackCode: 'AA' })
    }
    const patient = await idOf('RTC-ONE')
    const [orders, reports, results] = await Promise.all([
      find<ServiceRequest>(`ServiceRequest?patient=${patient}`),
      find<DiagnosticReport>(`DiagnosticReport?patient=${patient}`),
      find<Observation>(`Observation?patient=${patient}`),
    ])
    expect(orders).toMatchObject([{ status: 'completed' }])
    expect(reports.map(({ status, result: found }) => [status, found?.length])).toEqual([['corrected', 1]])
    expect(results.map(({ valueQuantity }) => valueQuantity?.value)).toEqual([4.1])
  })
})
