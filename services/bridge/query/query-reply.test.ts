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

  const asked = (...parameters: readonly string[]) =>
    `MSH|^~\\&|WARD|CENTRAL|HUB|CORRIDOR|20260304101500||QBP^Q22^QBP_Q21|Q1|P|2.5\rQPD|Q22|T1|${parameters.join('~')}\rRCP|I\r`

  it.each([
    ['a field that patients are not found by', '@PID.40^5551', '199'],
    ['the name of the mother', '@PID.6.1^Barry', '199'],
    ['no field', '^Barry', '199'],
    ['a birth date that is none', '@PID.7^1980-05-12', '102'],
    ['a sex that is none', '@PID.8^W', '102'],
    ['a name that is a star', '@PID.5.2^*', '102'],
    ['a second family name', '@PID.5.1.1^Barry', '198'],
    ['a domain without a number', '@PID.3.4^NATID&1.2.3&ISO', '101'],
  ])('is answered with a warning of %s', (_what, parameter, code) => {
    const { query, reply } = answerOf(asked('@PID.5.1^Diallo', parameter))
    expect(query).toMatchObject({ criteria: { family: { text: 'Diallo' } }, ignored: [{ repetition: 2 }] })
    expect([reply.get('MSA-1'), reply.get('QAK-2')]).toEqual(['AA', 'OK'])
    expect(reply.segments('ERR').map((err) => [err.rawField(2), err.text(3), err.text(4)])).toEqual([
      ['QPD^1^3^2', code, 'W'],
    ])
  })

  it('of many parameters that mean nothing is told of the first twenty', () => {
    const { reply } = answerOf(
      asked('@PID.5.1^Diallo', ...Array.from({ length: 1000 }, (_, at) => `@PID.${at + 50}^x`)),
    )
    expect(reply.segments('ERR')).toHaveLength(20)
  })

  it('that finds nobody is told what was not looked for, too', () => {
    const { reply } = answerOf(asked('@PID.40^5551', '@PID.5.1^Nobody'))
    expect([reply.get('QAK-2'), reply.get('ERR-2'), reply.get('ERR-4')]).toEqual(['NF', 'QPD', 'W'])
  })

  it.each([
    ['says the same twice', ['@PID.5.1^Diallo', '@PID.5.1.1^Diallo']],
    ['has fields that nobody filled in', ['@PID.5.1^Diallo', '@PID.7^', '']],
    ['has a number with its domain', ['@PID.3.1^778899', '@PID.3.4^CENTRAL&1.2.40.0.34.99.1&ISO']],
  ])('that %s is answered without a warning', (_what, parameters) => {
    expect(answerOf(asked(...parameters)).reply.has('ERR')).toBe(false)
  })

  it.each(['@PID.6.1^Barry', '@PID.5.1^*', '@PID.7^1980-05-12', '@PID.8^W', '@PID.3.4^NATID'])(
    'of nothing but %s is refused, and says what was left out',
    (parameter) => {
      const read = readQuery(parseMessage(asked(parameter)), testContext())
      expect(read).toMatchObject({
        refused: [
          { code: '101', severity: 'E' },
          { severity: 'W', location: { segment: 'QPD', field: 3, repetition: 1 } },
        ],
      })
    },
  )

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
