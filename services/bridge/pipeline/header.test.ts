import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { testChannel } from '../testing/test-channels.ts'
import { facilityCodeOf } from './2-enrich.ts'
import { facilityOf, headerOf } from './header.ts'

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
