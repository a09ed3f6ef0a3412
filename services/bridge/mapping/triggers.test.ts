import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { families } from './families.ts'
import { adtEvents } from './families/adt/events.ts'
import { documentEvents } from './families/mdm/events.ts'
import { orderEvents } from './families/orders/events.ts'
import { resultEvents } from './families/oru/events.ts'
import { scheduleEvents } from './families/siu/events.ts'
import { mapMessage } from './map-message.ts'
import { refusedEvent } from './taken-events.ts'
import { caseMessages } from './testing/case-files.ts'
import { testContext } from './testing/context.ts'

const words = (text: string): string[] => text.split(' ')

/** Which events each channel takes and which it knows and leaves to others, as integration engineers ask for them. */
const taken: Readonly<Record<string, readonly string[]>> = {
  ADT: Object.keys(adtEvents),
  ORU: Object.keys(resultEvents),
  ORM: Object.keys(orderEvents['ORM'] ?? {}),
  OML: Object.keys(orderEvents['OML'] ?? {}),
  OMG: Object.keys(orderEvents['OMG'] ?? {}),
  OMI: Object.keys(orderEvents['OMI'] ?? {}),
  MDM: Object.keys(documentEvents),
  QBP: words('Q21 Q22 Q23 Q24'),
  RDE: words('O01 O11 O25'),
  SIU: Object.keys(scheduleEvents),
  MFN: words('M01 M02 M05 M13'),
  VXU: ['V04'],
}

const left: Readonly<Record<string, readonly string[]>> = {
  ADT: ['A19'],
  ORU: ['R02'],
  OML: ['O22'],
  MDM: ['T12'],
  QBP: words('Q11 Q25 ZV1'),
  RDE: ['O13'],
  SIU: ['S25'],
  MFN: words('M03 M04 M06 M07 M08 M09 M10 M11 M12 M15'),
  VXU: ['V03'],
}

const cases = caseMessages().map((text) => {
  const message = parseMessage(text)
  const { refused } = mapMessage(message, testContext())
  const trigger = message.getText('MSH-9.2') ?? message.getText('EVN-1') ?? ''
  const isByHeader = refusedEvent(message) !== undefined
  return { type: message.getText('MSH-9.1'), trigger, refused: refused?.[0]?.code, isByHeader }
})

const rowsOf = (events: typeof taken) =>
  Object.entries(events).flatMap(([type, triggers]) => triggers.map((trigger) => [type, trigger] as const))

describe('an event', () => {
  it.each(rowsOf(taken))('%s^%s has a case that is taken', (type, trigger) => {
    const found = cases.filter((one) => one.type === type && one.trigger === trigger)
    expect(found.map(({ refused }) => refused)).toContain(undefined)
  })

  it.each(rowsOf(left))('%s^%s has a case that is refused as an event', (type, trigger) => {
    const found = cases.filter((one) => one.type === type && one.trigger === trigger)
    expect(found.map(({ refused }) => refused)).toEqual(['201'])
  })

  it.each(Object.keys(families))('%s^X99 is refused, and the answer says where the event stands', (type) => {
    const message = parseMessage(`MSH|^~\\&|A|B|C|D|20260304||${type}^X99|1|P|2.5.1\rPID|1||1^^^B\r`)
    const { refused } = mapMessage(message, testContext())
    expect(refused?.map(({ code, location }) => [code, location?.segment, location?.field])).toEqual([
      ['201', 'MSH', 9],
    ])
    expect(refusedEvent(message)).toMatchObject({ code: '201', applicationCode: { code: 'UNSUPPORTED_EVENT' } })
  })

  it('is refused by its header alone where the mapping would refuse it, and nowhere else', () => {
    const byHeader = cases.filter(({ isByHeader }) => isByHeader)
    expect(byHeader.every(({ refused }) => refused === '201')).toBe(true)
    const later = cases.filter(({ refused, isByHeader }) => refused === '201' && !isByHeader)
    // What a general master file is about stands in its records.
    expect(new Set(later.map(({ type, trigger }) => `${type}^${trigger}`))).toEqual(new Set(['MFN^M13']))
  })
})
