import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { FaultFigures } from '../test/faults/findings/fault-figures.ts'

const columns = ['kills', 'histories', 'lost', 'twice', 'brokenLogins'] as const
const titles = ['suite', 'kills', 'histories', 'lost', 'twice', 'broken logins', 'tests', 'time']

/** Closes the long run of the fault suites with what each has counted. A dash: the suite counts no such thing. */
export default class FaultTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map(rowOf).sort(([a = ''], [b = '']) => a.localeCompare(b))
    const all = modules.flatMap(figuresOf)
    const seconds = modules.reduce((total, module) => total + module.diagnostic().duration, 0)
    const tests = modules.reduce((total, module) => total + [...module.children.allTests()].length, 0)
    const table = [titles, ...rows, ['all', ...counted(all), String(tests), timeOf(seconds)]]
    const widths = titles.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
    const lines = table.map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))),
    )
    const seen = all.flatMap((one) => one.seen ?? [])
    process.stdout.write(`\n${[...lines.map((line) => line.join('  ')), ...seen].join('\n')}\n`)
  }
}

function rowOf(module: TestModule): string[] {
  const tests = [...module.children.allTests()]
  const name = module.relativeModuleId.replace(/^test\/faults\//, '').replace(/\.test\.tsx?$/, '')
  return [name, ...counted(figuresOf(module)), outcomeOf(module, tests), timeOf(module.diagnostic().duration)]
}

/** A hook that fails leaves its tests undone, which is no success. */
function outcomeOf(module: TestModule, tests: readonly TestCase[]): string {
  const passed = tests.filter((test) => test.result().state === 'passed').length
  return module.ok() && passed === tests.length ? String(passed) : `${passed} of ${tests.length} passed`
}

const figuresOf = (module: TestModule): FaultFigures[] =>
  [...module.children.allTests()].flatMap((test) => test.meta().faultFigures ?? [])

function counted(figures: readonly FaultFigures[]): string[] {
  return columns.map((column) => {
    const told = figures.flatMap((one) => one[column] ?? [])
    return told.length === 0 ? '–' : String(told.reduce((total, one) => total + one, 0))
  })
}

const timeOf = (ms: number) => (ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`)
