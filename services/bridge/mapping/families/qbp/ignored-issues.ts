import type { Issue } from '../../../../../packages/hl7/index.ts'
import type { IgnoredParameter } from './query.ts'

/** Whoever sends more that means nothing learns enough from these, and no answer is many times its query. */
const toldMax = 20

/** What the asker is told of parameters that were not looked for. They are warnings: the query is answered all the same. */
export const ignoredIssues = (ignored: readonly IgnoredParameter[]): Issue[] =>
  ignored.slice(0, toldMax).map(({ repetition, why }) => ({
    ...reasons[why],
    severity: 'W',
    location: { segment: 'QPD', sequence: 1, field: 3, repetition },
    applicationCode: { code: 'PARAMETER_IGNORED' },
  }))

const reasons: Readonly<Record<IgnoredParameter['why'], Pick<Issue, 'code' | 'text'>>> = {
  unknown: { code: '199', text: 'Patients are not found by this field here; the parameter was left out.' },
  unreadable: { code: '102', text: 'This is no value of the field; the parameter was left out.' },
  another: { code: '198', text: 'The field has another value in this query already; the parameter was left out.' },
  numberless: { code: '101', text: 'This is the domain of a number that was not sent; the parameter was left out.' },
}
