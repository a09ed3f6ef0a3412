import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../../../packages/hl7/index.ts'
import { caseFolder, caseNames } from '../../testing/case-files.ts'
import { mapInPasses } from '../../testing/map-in-passes.ts'
import { queryDeps } from '../../../query/testing/query-answer.ts'
import { masterFileReply } from './master-file-reply.ts'

const folder = `${caseFolder}mfn/`
const answered = caseNames('mfn').filter((name) => !name.endsWith('is-refused'))

describe('a master file', () => {
  function replyTo(text: string | Uint8Array) {
    const mapping = mapInPasses(text)
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    return masterFileReply(parseMessage(text), mapping, queryDeps)
  }

  it.each(answered)('%s is answered record by record as its file says', (name) => {
    const { reply } = replyTo(readFileSync(`${folder}${name}.hl7`))
    expect(reply.text.replaceAll('\r', '\n')).toBe(readFileSync(`${folder}${name}.reply.txt`, 'utf8'))
  })

  it.each([
    ['who leaves in an hour', 'MDC', '202603041200', 'STF|2001', false],
    ['who leaves tomorrow', 'MDL', '20260305', 'STF|2001', false],
    ['who is to be inactive tomorrow', 'MUP', '20260305', 'STF|2001||Okafor||||I', false],
    ['a place that closes next month', 'MDC', '202604', 'LOC|OPD', false],
    ['a place that is added and out of use', 'MAD', '20260305', 'LOC|OPD\rLDP|OPD|C|C|||I', false],
    ['who leaves now, by a clock that is a little ahead', 'MDC', '202603041104', 'STF|2001', true],
    ['who left today', 'MDC', '20260304', 'STF|2001', true],
    ['who begins tomorrow', 'MAD', '20260305', 'STF|2001||Okafor', true],
    ['who comes back tomorrow', 'MAC', '20260305', 'STF|2001', true],
    ['who left at a time that nobody can read', 'MDC', 'soon', 'STF|2001', true],
  ])('says that it takes effect later: %s', (_who, event, from, record, isTaken) => {
    const text = [
      'MSH|^~\\&|HR|CENTRAL|||20260304110000+0400||MFN^M01|L1|P|2.5.1',
      ...['MFI|STF||UPD|||AL', `MFE|${event}|R1|${from}|${record.slice(4, 8)}|CWE`, record],
    ].join('\r')
    const mapping = mapInPasses(text, { receivedAt: new Date('2026-03-04T07:00:00Z') })
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    const { reply, issues } = masterFileReply(parseMessage(text), mapping, queryDeps)
    expect(reply.get('MFA-4')).toBe(isTaken ? 'S' : 'U')
    expect(issues).toMatchObject(isTaken ? [] : [{ code: '207', location: { sequence: 1, field: 3 } }])
    const ofRecord = /^(Practitioner|Location)$/
    expect(mapping.writes.some(({ resource }) => ofRecord.test(resource.resourceType))).toBe(isTaken)
  })

  it('of a place that is out of use says so, also where it is new', () => {
    const text = [
      ...['MSH|^~\\&|HR|CENTRAL|||20260304||MFN^M05|L1|P|2.5.1', 'MFI|LOC||UPD|||AL', 'MFE|MAD|R1||OPD|PL'],
      ...['LOC|OPD|Outpatients|C', 'LDP|OPD|C|C|||I'],
    ].join('\r')
    const mapping = mapInPasses(text)
    const stored = mapping.refused === undefined ? mapping.writes.map(({ resource }) => resource) : []
    expect(stored.filter(({ resourceType }) => resourceType === 'Location')).toMatchObject([{ status: 'inactive' }])
  })

  it('of 40,000 records is answered with what was wrong with each', () => {
    const records = Array.from({ length: 40_000 }, () => 'MFE|MAD|R1||')
    const text = ['MSH|^~\\&|HIS|CENTRAL|||20260304||MFN^M02|L1|P|2.5.1', 'MFI|STF||UPD|||NE', ...records].join('\r')
    const warnings = records.map((_, index) => ({
      ...{ kind: 'not-kept' as const, text: `Record ${index} has no key.` },
      path: `MFE${index === 0 ? '' : `[${index}]`}-4`,
    }))
    const { issues } = masterFileReply(parseMessage(text), { writes: [], patients: [], needs: [], warnings }, queryDeps)
    expect(issues).toHaveLength(40_000)
    expect(issues.at(-1)).toMatchObject({ text: 'Record 39999 has no key.', location: { sequence: 40_000, field: 4 } })
  })

  it.each(['NE', 'SU', 'ER', 'AL'])('tells why a record was left out, also when MFI-6 is %s', (level) => {
    const text = readFileSync(`${folder}m02-a-record-without-key.hl7`, 'utf8').replace('|||AL', `|||${level}`)
    const { reply, issues } = replyTo(text)
    expect(reply.segments('ERR').map((err) => [err.part(2)?.raw, err.text(3), err.text(5), err.text(8)])).toEqual([
      ['MFE^1^4', '101', 'RECORDS_NOT_TAKEN', 'The record has no identifier, so it was left out.'],
      ['MFE^2^1', '103', 'RECORDS_NOT_TAKEN', 'MFE-1 does not say what happens to the record, so it was left out.'],
    ])
    expect(issues).toHaveLength(2)
  })
})
