import { glob } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { projectFolder, readText, readYaml } from './read-file.ts'

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

interface PromtoolTest {
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[]
}

const { groups } = readYaml('deploy/prometheus/alerts.yaml') as { groups: { rules: Alert[] }[] }
const alerts = groups.flatMap(({ rules }) => rules)
const dashboard = JSON.parse(readText('deploy/grafana/corridor.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[]
}
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))

/** `corridor_x_seconds_bucket` belongs to `corridor_x_seconds`. */
const metricsIn = (expression: string) =>
  [...expression.matchAll(/corridor_\w+/g)].map(([name]) => name.replace(/(_seconds)_(bucket|sum|count)$/, '$1'))

describe('alerts and dashboard', () => {
  const existing = new Set<string>()
  beforeAll(async () => {
    for await (const file of glob('{packages,services,ports}/**/*.ts', { cwd: projectFolder })) {
      if (file.endsWith('.test.ts')) continue
      for (const [, name = ''] of readText(file).matchAll(/'(corridor_\w+)'/g)) existing.add(name)
    }
    const text = await new Metrics({ process: true }).text()
    for (const [, name = ''] of text.matchAll(/^# TYPE (\w+)/gm)) existing.add(name)
  })

  it('ask only for metrics that there are', () => {
    const asked = [...alerts, ...panels].flatMap(({ expr }) => metricsIn(expr))
    expect(asked.filter((name) => !existing.has(name))).toEqual([])
    expect(new Set(asked).size).toBeGreaterThan(20)
  })

  it('leave out no metric that the services declare', () => {
    const asked = new Set([...alerts, ...panels].flatMap(({ expr }) => metricsIn(expr)))
    const declared = [...existing].filter((name) =>
      /^corridor_(bridge|consent|audit|http|outbound|database|background)_/.test(name),
    )
    expect(declared.filter((name) => !asked.has(name))).toEqual([])
  })
})

describe('the alert rules', () => {
  const operations = readText('docs/operations.md')

  it.each(alerts.map((alert) => [alert.alert, alert] as const))('%s has its section in the runbook', (name, alert) => {
    expect(alert.annotations.runbook).toBe(`docs/operations.md#${name.toLowerCase()}`)
    expect(operations).toMatch(new RegExp(`^### ${name}$`, 'm'))
    expect(['critical', 'warning']).toContain(alert.labels.severity)
    expect(alert.annotations.summary).toMatch(/\.$/)
  })

  // promtool itself is no package of npm: docs/operations.md says when it was run.
  it('are each shown by a test for promtool to fire', () => {
    const { tests } = readYaml('deploy/prometheus/alerts.test.yaml') as { tests: PromtoolTest[] }
    const shown = tests.flatMap((test) => test.alert_rule_test.filter(({ exp_alerts }) => exp_alerts.length > 0))
    expect([...new Set(shown.map(({ alertname }) => alertname))].toSorted()).toEqual(
      alerts.map(({ alert }) => alert).toSorted(),
    )
  })

  it('are as many as the documentation says', () => {
    expect(operations).toContain(`| ${alerts.length} alerts and`)
    expect(readText('CHANGELOG.md')).toContain(` ${alerts.length} Prometheus alerts `)
  })

  it('are all that the runbook knows', () => {
    const known = [...operations.matchAll(/^### (Corridor\w+)$/gm)].map(([, name = '']) => name)
    expect(known.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted())
  })
})
