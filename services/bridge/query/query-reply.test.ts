import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { caseFolder, caseNames } from '../mapping/testing/case-files.ts'
import { testContext } from '../mapping/testing/context.ts'
import { answerOf, queryDeps } from './testing/query-answer.ts'
import { queryReply } from './query-reply.ts'
import { readQuery } from '../mapping/families/qbp/read-query.ts'

const folder = `${caseFolder}qbp/`
const answered = caseNames('qbp').filter((name) => !name.endsWith('is-refused'))

describe('a query', () => {
  it.each(answered)('%s is read and answered as its files say', (name) => {
    const { query, reply } = answerOf(readFileSync(`${folder}${name}.hl7`))
    expect(query).toEqual(JSON.parse(readFileSync(`${folder}${name}.query.json`, 'utf8')))
    expect(reply.text.replaceAll('\r', '\n')).toBe(readFileSync(`${folder}${name}.reply.txt`, 'utf8'))
  })

  it('that is refused has an issue for its NACK', () => {
    const read = readQuery(parseMessage('MSH|^~\\&|A|B|||20260304||QBP^Q11|1|P|2.5.1\rQPD|x|y'), testContext())
    expect(read).toMatchObject({ refused: [{ code: '201', location: { segment: 'MSH', field: 9 } }] })
  })

  it('for new numbers is answered with those that were given out, and with no name', () => {
    const message = parseMessage(readFileSync(`${folder}q24-allocate.hl7`))
    const read = readQuery(message, testContext())
    const query = 'query' in read ? read.query : undefined
    expect(query?.kind).toBe('allocation')
    const patient = {
      resourceType: 'Patient' as const,
      identifier: [{ system: 'urn:oid:1.2.40.0.34.99.1', value: 'NEW-1' }],
      name: [{ family: 'Secret' }],
    }
    const reply = query && queryReply(message, query, { patients: [{ patient }] }, queryDeps).reply
    expect(reply?.get('MSH-9.2')).toBe('K24')
    expect(reply?.get('PID-3')).toBe('NEW-1')
    expect(reply?.text).not.toContain('Secret')
  })

  it('goes on where it stopped, until everyone was given', () => {
    const first = readFileSync(`${folder}q22-two-at-a-time.hl7`, 'utf8')
    const { reply } = answerOf(first)
    const next = answerOf(`${first.trimEnd()}\rDSC|${reply.get('DSC-1')}|I\r`).reply
    const ids = [...reply.segments('PID'), ...next.segments('PID')].map((pid) => pid.text(3))
    expect(ids).toEqual(['778899', '778900', 'N-300'])
    expect(next.has('DSC')).toBe(false)
    expect(next.get('QAK-6')).toBe('0')
  })
})
