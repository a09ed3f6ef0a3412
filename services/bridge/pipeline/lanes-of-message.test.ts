import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../packages/hl7/index.ts'
import type { MappingSettings } from '../mapping/context.ts'
import type { ChannelId } from './channel.ts'
import { sample } from '../testing/flow-world.ts'
import { lanesOfMessage } from './lanes-of-message.ts'

const lanesOf = (text: string, channelId: ChannelId = 'adt', facility = 'CENTRAL', settings: MappingSettings = {}) =>
  lanesOfMessage(parseMessage(text), { channelId, facility, settings }).lanes

const pid = (field: string) => sample({ controlId: '1', patient: 'X' }).replace(/PID.*/, `PID|1||${field}`)

describe('the lanes of a message', () => {
  it.each([
    ['the same identifier', '1^^^CENTRAL^MR', '1^^^CENTRAL^MR', true],
    ['another number', '1^^^CENTRAL^MR', '2^^^CENTRAL^MR', false],
    ['another name of the authority, which may be the same one', '1^^^CENTRAL^MR', '1^^^MRN^MR', true],
    ['more identifiers beside it', '1^^^CENTRAL^MR', '9^^^GOV^NI~1^^^CENTRAL^MR', true],
  ])('are the same patient or not: %s', (_name, one, other, isSame) => {
    expect(lanesOf(pid(one))[0] === lanesOf(pid(other))[0]).toBe(isSame)
  })

  it('are the same for all who may mean one patient by the national number', () => {
    const settings = { nationalIdSystem: 'urn:oid:2.16.840.1.113883.4.1' }
    const lanes = (field: string, facility: string) => lanesOf(pid(field), 'adt', facility, settings)
    const [national = ''] = lanes('N123^^^NAT^NI', 'NORTH')
    expect(lanes('N123^^^NAT^NI', 'CENTRAL')).toEqual([national])
    expect(lanes('M1^^^CENTRAL^MR~N123^^^NAT^NI', 'CENTRAL')).toContain(national)
  })

  it('are those of every record number, by any of which the patient may be found', () => {
    const all = lanesOf(pid('9^^^OTHER^MR~7^^^GOV^NI~1^^^CENTRAL^MR'))
    expect(all).toEqual([...lanesOf(pid('9^^^OTHER^MR')), ...lanesOf(pid('1^^^CENTRAL^MR'))].toSorted())
  })

  it.each([
    ['MRG-1', '2^^^CENTRAL^MR'],
    ['MRG-2, as older versions have it', '|2^^^CENTRAL^MR'],
    ['MRG-4, as older versions have it', '|||2^^^CENTRAL^MR'],
  ])('are those of both patients of a merge, in the order of locks: %s', (_field, mrg) => {
    const text = `${pid('1^^^CENTRAL^MR')}\rMRG|${mrg}\r`.replace('ADT^A08', 'ADT^A40')
    const both = [...lanesOf(pid('1^^^CENTRAL^MR')), ...lanesOf(pid('2^^^CENTRAL^MR'))]
    expect(lanesOf(text)).toEqual(both.toSorted())
  })

  it.each([undefined, 'urn:lane/id/CENTRAL/GOV'])(
    'are among them those of both patients of a merge who have one number, be it national (%s)',
    (nationalIdSystem) => {
      const settings = nationalIdSystem === undefined ? {} : { nationalIdSystem }
      const lanes = (text: string) => lanesOf(text, 'adt', 'CENTRAL', settings)
      const text = `${pid('1^^^CENTRAL^MR~9^^^GOV^NI')}\rMRG|9^^^GOV^NI~2^^^CENTRAL^MR\r`.replace('ADT^A08', 'ADT^A40')
      const both = [...lanes(pid('1^^^CENTRAL^MR')), ...lanes(pid('2^^^CENTRAL^MR')), ...lanes(pid('9^^^GOV^NI'))]
      expect(lanes(text)).toEqual(expect.arrayContaining(both))
    },
  )

  it('are one for master files of a sender, and none for a query', () => {
    const masterFile = 'MSH|^~\\&|A|B|C|D|2026||MFN^M02|1|P|2.5\rMFI|PRA\r'
    expect(lanesOf(masterFile, 'mfn')).toEqual(lanesOf(masterFile, 'mfn'))
    expect(lanesOf(masterFile, 'mfn', 'LAKESIDE')).not.toEqual(lanesOf(masterFile, 'mfn'))
    expect(lanesOf(sample({ controlId: '1', type: 'QBP^Q22' }), 'qbp')).toEqual([])
  })

  it.each([
    ['names nobody', 'F1^S', '', true],
    ['names another patient', 'F1^S', '2^^^CENTRAL^MR', true],
    ['names it by the number of who asked for it', '', '', true],
    ['is of another appointment', 'F2^S', '2^^^CENTRAL^MR', false],
  ])('are one for an appointment and what calls it off, which %s', (_what, filler, patient, isShared) => {
    const siu = (trigger: string, numbers: string, ofPatient: string) =>
      lanesOf(
        `MSH|^~\\&|A|CENTRAL|C|D|2026||SIU^${trigger}|1|P|2.5\rSCH|${numbers}\r${ofPatient && `PID|1||${ofPatient}\r`}`,
        'siu',
      )
    const booked = siu('S12', 'P1^S|F1^S', '1^^^CENTRAL^MR')
    expect(booked).toEqual(expect.arrayContaining([...lanesOf(pid('1^^^CENTRAL^MR'))]))
    const calledOff = siu('S15', filler === '' ? 'P1^S' : `|${filler}`, patient)
    expect(calledOff.some((lane) => booked.includes(lane))).toBe(isShared)
  })

  it('are none for a patient without identifier: the mapping refuses it', () => {
    expect(lanesOf(pid(''))).toEqual([])
  })
})
