import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../../../packages/hl7/index.ts'
import { caseFolder, caseNames } from '../../testing/case-files.ts'
import { mapInPasses } from '../../testing/map-in-passes.ts'
import { queryDeps } from '../../testing/query-answer.ts'
import { masterFileReply, recordOutcomes } from './master-file-reply.ts'

const folder = `${caseFolder}mfn/`
const answered = caseNames('mfn').filter((name) => !name.endsWith('is-refused'))

describe('a master file', () => {
  it.each(answered)('%s is answered record by record as its file says', (name) => {
    const bytes = readFileSync(`${folder}${name}.hl7`)
    const message = parseMessage(bytes)
    const reply = masterFileReply(message, recordOutcomes(message, mapInPasses(bytes)), queryDeps)
    expect(reply.text.replaceAll('\r', '\n')).toBe(readFileSync(`${folder}${name}.reply.txt`, 'utf8'))
  })

  it('that is refused is refused for every record', () => {
    const bytes = readFileSync(`${folder}m03-is-refused.hl7`)
    const message = parseMessage(bytes)
    expect(recordOutcomes(message, mapInPasses(bytes))).toMatchObject([{ code: 'U' }])
  })
})
