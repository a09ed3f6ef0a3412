import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { testChannel } from '../testing/test-channels.ts'
import { facilityCodeOf } from './2-enrich.ts'
import { facilityOf, headerOf } from './header.ts'

describe('what the audit keeps of a query', () => {
  const said = (type: string, qpd: string) =>
    headerOf(parseMessage(`MSH|^~\\&|A|B|||20260304||${type}|1|P|2.5.1\rQPD|${qpd}\rRCP|I\r`)).query

  it.each([
    ['QBP^Q22', 'Q22^Find|T1|@PID.5.1^Diallo~@PID.7^1990', 'Q22^Find|T1|@PID.5.1^***~@PID.7^***'],
    ['QBP^Q22', 'Q22|T1|@PID.3.1^MRN1~@PID.30^Y|||||^^^CENTRAL', 'Q22|T1|@PID.3.1^MRN1~@PID.30^***|||||^^^CENTRAL'],
    ['QBP^Q22', 'Q22|T1|Diallo^Amina', 'Q22|T1|^***'],
    ['QBP^Q23', 'Q23|T1|MRN1^^^CENTRAL|^^^LAKESIDE', 'Q23|T1|MRN1^^^CENTRAL|^^^LAKESIDE'],
    ['QBP^Q99', 'Q99|T1|Diallo', 'Q99|T1|^***'],
  ])('%s of %s is %s: by what it asked, and numbers', (type, qpd, query) => {
    expect(said(type, qpd)).toBe(`QPD|${query}`)
  })

  it('is nothing of a message that asks nothing', () => {
    expect(said('ADT^A01', 'Q22|T1|@PID.5.1^Diallo')).toBeUndefined()
  })
})

it.each([
  ['T', 'T'],
  ['d^A', 'D'],
  ['P', undefined],
  ['', undefined],
])('a message of which MSH-11 is %j is for %s', (written, processing) => {
  expect(headerOf(parseMessage(`MSH|^~\\&|A|B|||20260304||ADT^A01|1|${written}|2.5.1\r`)).processing).toBe(processing)
})

describe('whose message it is', () => {
  it.each([
    ['CENTRAL', 'CENTRAL'],
    ['CENTRAL^2.16.840.1.113883.19.3.1^ISO', 'CENTRAL'],
    ['^2.16.840.1.113883.19.3.1^ISO', '2.16.840.1.113883.19.3.1'],
    ['', 'OURS'],
    ['^^ISO', 'OURS'],
  ])('stands in MSH-4 as %j: %s', (written, facility) => {
    const message = parseMessage(`MSH|^~\\&|HIS|${written}|HUB|CORRIDOR|20260304||ADT^A01|1|P|2.5.1\r`)
    const channel = testChannel('adt', { defaultFacility: 'OURS' })
    expect(facilityOf(headerOf(message), channel)).toBe(facility)
    expect(facilityCodeOf({ message, channel })).toBe(facility)
  })
})
