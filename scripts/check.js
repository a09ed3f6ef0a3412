// Format, lint with types, and the types of everything including the tests. Says all that is wrong, then fails.
import { runTool } from './run.js'

const checks = [
  ['oxfmt', ['--check', '.']],
  ['oxlint', ['--type-aware', '--deny-warnings']],
  ['typescript', ['-p', 'tsconfig.check.json']],
]

const codes = []
for (const [tool, args] of checks) codes.push(await runTool(tool, args))
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
