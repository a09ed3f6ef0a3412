import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { testChannel } from '../testing/test-channels.ts'
import { facilityCodeOf } from './2-enrich.ts'
import { facilityOf, headerOf } from './header.ts'

it('a query is kept as it was asked, any other message by its header alone', () => {
  const qpd = 'QPD|Q22^Find Candidates^HL70471|T1|@PID.5.1^Diallo'
  const said = (type: string) => headerOf(parseMessage(`MSH|^~\\&|A|B|||20260304||${type}|1|P|2.5.1\r${qpd}\rRCP|I\r`))
  expect(said('QBP^Q22').query).toBe(qpd)
  expect(said('ADT^A01')).not.toHaveProperty('query')
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
