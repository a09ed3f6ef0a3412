import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Bundle, Patient } from '../../../packages/fhir/r4.ts'
import { parseMessage, type Message } from '../../../packages/hl7/index.ts'
import { demoToken } from '../../../packages/testkit/demo-token.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { ChannelId } from '../pipeline/channel.ts'

describe('the answer to a query of a running bridge', () => {
  let corridor: TestCorridor
  let sent = 0

  beforeAll(async () => {
    corridor = await testCorridor()
    const clinic = '^^^CLINIC^PI'
    await add('CENTRAL', `AQ-A^^^CENTRAL^MR~777${clinic}~88^^^^PI~AQ-9^^^NAT^NI`, 'Alphaq^Ada||19810101|F')
    await add('LAKESIDE', `AQ-B^^^LAKESIDE^MR~777${clinic}~88^^^^PI`, 'Betaq^Bo||19550505|M')
  })
  afterAll(() => corridor[Symbol.asyncDispose]())

  async function send(facility: string, channel: ChannelId, type: string, ...segments: readonly string[]) {
    const { port } = corridor.configuration.bridge.channels[channel]
    await using his = await openHl7Sender({ host: '127.0.0.1', port })
    const header = `MSH|^~\\&|PAS|${facility}|||20260304101500||${type}|AQ-${++sent}|P|2.5.1`
    return parseMessage((await his.send(`${[header, ...segments].join('\r')}\r`)).raw)
  }
  const add = (facility: string, numbers: string, rest: string) =>
    send(facility, 'adt', 'ADT^A28', `PID|1||${numbers}||${rest}`)
  const find = (facility: string, what: string) => send(facility, 'qbp', 'QBP^Q22', `QPD|Q22|T1|${what}`, 'RCP|I')

  const numbersIn = (told: Message) =>
    told.segments('PID').map((pid) => pid.repetitions(3).map((number) => number.text(1)))

  async function call(service: 'fhir' | 'consent', path: string, body?: object): Promise<unknown> {
    const authorization = `Bearer ${await demoToken(corridor.url('auth'))}`
    const answer = await fetch(`${corridor.url(service)}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json()
  }

  async function recordOf(number: string): Promise<Patient> {
    // Sound: a search of Patients is answered with a Bundle of them, and this one was added.
    const { entry = [] } = (await call('fhir', `/Patient?identifier=${number}`)) as Bundle
    return entry[0]?.resource as Patient
  }

  it.each(['CENTRAL', 'LAKESIDE'])('leads %s back to the patient by each of the numbers in it', async (facility) => {
    const told = await find(facility, '@PID.5.1^Alphaq')
    const numbers = told.segment('PID')?.repetitions(3) ?? []
    expect(numbers.map((number) => number.text(1))).toEqual(['AQ-A', '777', '88', 'AQ-9'])
    for (const number of numbers) {
      const [value, authority] = [number.text(1), number.part(4)]
      if (authority === undefined || authority.isEmpty) continue
      const criteria = [`@PID.3.1^${value}`, `@PID.3.4^${authority.raw}`].join('~')
      expect((await find(facility, criteria)).get('PID-5.1')).toBe('Alphaq')
      const cx = `${value}^^^${authority.raw}`
      const who = await send(facility, 'qbp', 'QBP^Q21', `QPD|Q21|T1|${cx}`, 'RCP|I')
      expect([who.get('MSA-1'), who.get('PID-5.1')]).toEqual(['AA', 'Alphaq'])
    }
  })

  it('takes a comma in a name for a part of it', async () => {
    await add('CENTRAL', 'AQ-C^^^CENTRAL^MR', 'Gammaq, Jr^Cy||19810101|F')
    expect((await find('CENTRAL', '@PID.5.1^Alphaq,Betaq')).get('QAK-2')).toBe('NF')
    expect((await find('CENTRAL', '@PID.5.1^Gammaq, Jr')).get('PID-3')).toBe('AQ-C')
  })

  it('says what was not looked for, and is AE when nothing is left to look for', async () => {
    const told = await find('CENTRAL', '@PID.5.1^Alphaq~@PID.7^1981-01-01')
    expect([told.get('MSA-1'), told.get('ERR-4'), told.get('PID-5.1')]).toEqual(['AA', 'W', 'Alphaq'])
    for (const nothing of ['@PID.6.1^Alphaq', '@PID.5.1^*']) {
      const refused = await find('CENTRAL', nothing)
      expect([refused.get('MSA-1'), refused.get('QAK-2'), refused.has('PID')]).toEqual(['AE', 'AE', false])
      expect(refused.segments('ERR').map((err) => err.text(4))).toEqual(['E', 'W'])
    }
  })

  it('names a number of another facility with whose it is, and one of the asker by its name alone', async () => {
    const authorities = async (facility: string) =>
      (await find(facility, '@PID.5.1^Alphaq'))
        .segment('PID')
        ?.repetitions(3)
        .map((number) => number.part(4)?.raw)
        .slice(1, 3)
    expect(await authorities('CENTRAL')).toEqual(['CLINIC', ''])
    const address = (name: string) => expect.stringMatching(new RegExp(`&https?://[^&]+/id/CENTRAL/${name}&URI$`))
    expect(await authorities('LAKESIDE')).toEqual([address('CLINIC'), address('PI')])
  })

  it('calls a domain as it was asked for, else as it was declared first', async () => {
    const asked = async (domain: string) => {
      const qpd = `QPD|Q23|T1|AQ-9^^^NAT^NI|${domain}`
      return (await send('CENTRAL', 'qbp', 'QBP^Q23', qpd, 'RCP|I')).get('PID-3.4')
    }
    expect([await asked('^^^CENTRAL'), await asked('^^^MRN')]).toEqual(['CENTRAL', 'MRN'])
    expect((await find('CENTRAL', '@PID.5.1^Alphaq')).get('PID-3.4')).toBe('CENTRAL')
  })

  it('tells all numbers of somebody, also where the records that have them are more than a page', async () => {
    await add('CENTRAL', 'AQ-E^^^CENTRAL^MR', 'Epsilonq^Eve||19660606|F')
    const { link } = await recordOf('AQ-E')
    const numbers = Array.from({ length: 201 }, (_, at) => `AQ-E${at}`)
    const entry = numbers.map((value) => ({
      resource: { resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3.4', value }], link },
      request: { method: 'POST', url: 'Patient' },
    }))
    await call('fhir', '/', { resourceType: 'Bundle', type: 'transaction', entry })
    const [told] = numbersIn(await find('CENTRAL', '@PID.3.1^AQ-E'))
    expect(new Set(told)).toEqual(new Set(['AQ-E', ...numbers]))
  })

  it('tells of fifty at most, and says so when more may fit', async () => {
    const many = (count: number, from = 0) => ({
      ...{ resourceType: 'Bundle', type: 'transaction' },
      entry: Array.from({ length: count }, (_, at) => ({
        resource: {
          resourceType: 'Patient',
          identifier: [{ system: 'urn:oid:1.2.3.4', value: `AQ-Z${from + at}` }],
          name: [{ family: 'Zetaq', given: [`Number ${from + at}`] }],
        },
        request: { method: 'POST', url: 'Patient' },
      })),
    })
    const asked = async () => {
      const told = await find('CENTRAL', '@PID.5.1^Zetaq')
      const warnings = told.segments('ERR').map((err) => [err.text(3), err.text(4), err.text(5)])
      return [told.get('QAK-2'), told.segments('PID').length, told.get('QAK-4'), warnings]
    }
    await call('fhir', '/', many(50))
    expect(await asked()).toEqual(['OK', 50, '50', []])
    await call('fhir', '/', many(1, 50))
    expect(await asked()).toEqual(['OK', 50, '50', [['0', 'W', 'MORE_FIT']]])
    expect((await find('CENTRAL', '@PID.5.1^Zetaq~@PID.5.2^Number 50')).has('ERR')).toBe(false)
  })

  it('is less sure of who only begins as asked, but where a star says that more may follow', async () => {
    await add('CENTRAL', 'AQ-F1^^^CENTRAL^MR', 'Thetaqson^Tim^Jon||19700101|M')
    await add('CENTRAL', 'AQ-F2^^^CENTRAL^MR', 'Thétaq^Tim Jon||19700202|M')
    const sure = async (what: string) => {
      const told = await find('CENTRAL', what)
      const numbers = told.segments('PID').map((pid) => pid.text(3))
      return numbers.map((number, at) => [number, told.segments('QRI')[at]?.text(1)])
    }
    expect(await sure('@PID.5.1^THETAQ')).toEqual([
      ['AQ-F2', '100'],
      ['AQ-F1', '80'],
    ])
    expect((await sure('@PID.5.1^THETAQ*')).map(([, score]) => score)).toEqual(['100', '100'])
    expect(await sure('@PID.5.1^THETAQ*~@PID.5.2^Jon')).toEqual([['AQ-F1', '100']])
    expect(await sure('@PID.5.1^THETAQ*~@PID.5.2^Jo')).toEqual([['AQ-F1', '80']])
    expect(await sure('@PID.5.1^THETAQ|90')).toEqual([['AQ-F2', '100']])
  })

  describe('of a number that two people have', () => {
    const shared = 'AQ-55^^^&urn:oid:1.2.40.0.10.1.4.3.1&ISO'
    const ask = (trigger: string, number: string) =>
      send('CENTRAL', 'qbp', `QBP^${trigger}`, `QPD|${trigger}|T1|${number}`, 'RCP|I')

    beforeAll(async () => {
      await add('CENTRAL', `AQ-M^^^CENTRAL^MR~${shared}^NI`, 'Gammaq^Mara||19900303|F')
      await add('CENTRAL', `AQ-N^^^CENTRAL^MR~${shared}^NI`, 'Gammaq^Nils||20260301|M')
    })

    it.each(['Q21', 'Q23'])('names neither of them as the one: %s', async (trigger) => {
      const told = await ask(trigger, shared)
      expect([told.get('MSA-1'), told.get('QAK-2'), told.get('ERR-5'), told.has('PID')]).toEqual([
        ...['AE', 'AE', 'SEVERAL_PATIENTS', false],
      ])
      const one = await ask(trigger, 'AQ-N^^^CENTRAL^MR')
      expect([one.get('MSA-1'), one.segments('PID').length]).toEqual(['AA', 1])
    })

    it('names the one of them whom the asker may see', async () => {
      const patientId = `Patient/${(await recordOf('AQ-M')).id}`
      await call('consent', '/api/consent', { patientId, provisionType: 'deny', scopeContext: 'patient' })
      expect((await ask('Q21', shared)).get('PID-5.2')).toBe('Nils')
    })
  })

  describe('of somebody with records in two facilities, of which one is refused to the asker', () => {
    const national = '^^^&urn:oid:1.2.40.0.10.1.4.3.1&ISO^NI'
    let before: ReturnType<typeof numbersIn> = []

    beforeAll(async () => {
      const rest = 'Deltaq^Dora^Maria||19770707|F'
      await add('CENTRAL', `AQ-D1^^^CENTRAL^MR~AQ-77${national}`, rest)
      await add('LAKESIDE', `AQ-D2^^^LAKESIDE^MR~AQ-77${national}`, rest)
      before = numbersIn(await find('CENTRAL', '@PID.5.1^Deltaq'))
      const patientId = `Patient/${(await recordOf('AQ-D2')).id}`
      await call('consent', '/api/consent', { patientId, provisionType: 'deny', scopeContext: 'patient' })
    })

    it('tells none of the numbers of that one', async () => {
      expect(before).toContainEqual(['AQ-D1', 'AQ-77', 'AQ-D2', 'AQ-77'])
      expect(numbersIn(await find('CENTRAL', '@PID.5.1^Deltaq'))).toEqual([['AQ-D1', 'AQ-77']])
      const corresponding = await send('CENTRAL', 'qbp', 'QBP^Q23', 'QPD|Q23|T1|AQ-D1^^^CENTRAL^MR', 'RCP|I')
      expect(numbersIn(corresponding)).toEqual([['AQ-77']])
    })

    it('does not tell that there are any where only those are asked for', async () => {
      const { identifier = [] } = await recordOf('AQ-D2')
      const domain = `^^^&${identifier.find(({ value }) => value === 'AQ-D2')?.system}&URI`
      const told = await send('CENTRAL', 'qbp', 'QBP^Q23', `QPD|Q23|T1|AQ-D1^^^CENTRAL^MR|${domain}`, 'RCP|I')
      expect([told.get('MSA-1'), told.get('QAK-2'), told.has('PID')]).toEqual(['AA', 'NF', false])
    })
  })
})
