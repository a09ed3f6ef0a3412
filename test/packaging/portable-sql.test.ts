import { expect, it } from 'vitest'
import { readText } from './read-file.ts'
import { shippedFiles } from './shipped-files.ts'

const files = shippedFiles('ts', 'tsx', 'sql')

it('all of what ships is looked at', () => {
  expect(files).toEqual(expect.arrayContaining(['services/auth/store/users.ts', 'services/fhir/store/write.ts']))
  expect(files.filter((file) => file.endsWith('.sql')).length).toBeGreaterThan(50)
})

// What Citus, YugabyteDB or CockroachDB lack, which can carry what one server cannot: a row is locked, never a table.
it.each([
  ['locks a table', /\block\s+table\b/i],
  ['takes an advisory lock', /\bpg_(?:try_)?advisory_/i],
  ['makes a trigger, a function or a procedure', /\bcreate\s+(?:or\s+replace\s+)?(?:trigger|function|procedure)\b/i],
  ['wants an extension', /\bcreate\s+extension\b/i],
])('no statement %s', (_what, pattern) => {
  expect(files.filter((file) => pattern.test(readText(file)))).toEqual([])
})
