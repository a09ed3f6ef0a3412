import { expect, it } from 'vitest'
import { parseMessage } from '../../../packages/hl7/index.ts'
import type { Facility } from '../../../ports/facility-registry/facility-registry.ts'
import { testChannel } from '../testing/test-channels.ts'
import { contextOf } from './2-enrich.ts'

const facility: Facility = {
  ...{ code: 'CENTRAL', organization: 'Organization/central', name: 'Central' },
  namespaces: new Map(),
}

/** The offset of a time of July that has none. */
function offset(msh7: string, timeZone?: string): string | undefined {
  const message = parseMessage(`MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|${msh7}||ORU^R01|1|P|2.5.1\r`)
  const asked = { channel: testChannel('oru'), receivedAt: new Date('2026-01-04T10:00:00Z'), message }
  const known = timeZone === undefined ? facility : { ...facility, timeZone }
  return contextOf(asked, known, 'https://corridor.example')?.zone.offsetAt('2026-07-04', '06:00:00')
}

const ofChannel = testChannel('oru').zone.offsetAt('2026-07-04', '06:00:00')

it.each([
  ['that of MSH-7', '20260104100000-0500', undefined, '-05:00'],
  ['that of MSH-7, which some write as Z', '20260104100000Z', undefined, '+00:00'],
  ["that of the facility's zone, which knows summer", '20260104100000-0500', 'America/New_York', '-04:00'],
  ["that of the channel's zone, where MSH-7 has none", '20260104100000', undefined, ofChannel],
  [
    "that of the channel's zone, where MSH-7 has one that FHIR does not know",
    '20260104100000+1430',
    undefined,
    ofChannel,
  ],
  ["that of the channel's zone, where MSH-7 is no time", 'yesterday', undefined, ofChannel],
])('a time without offset has %s', (_what, msh7, timeZone, expected) => {
  expect(offset(msh7, timeZone)).toBe(expected)
})
