import { expect, it } from 'vitest'
import { corridorConfiguration } from './configuration.ts'
import { readyTable } from './ready-table.ts'
import { serviceNames } from './service-names.ts'

const services = serviceNames.map((name) => ({
  ...{ name, title: `The ${name} service`, url: `http://localhost/${name}`, accounts: [] },
  tryFirst: [{ title: `Open ${name}`, text: '', href: '/first' }],
}))

const told = (demo: boolean, running = services) => {
  const { configuration } = corridorConfiguration({ demo, environment: {} })
  return readyTable({ configuration, services: running, version: '1.2.3' }, { hasColour: false })
}

it('leads a newcomer to the tour first, and to each service', () => {
  expect(told(true)).toMatch(/Try first\n {2}Take the tour.*\n {4}npm run --silent corridor -- tour\n {2}Open auth\n/)
})

it('offers no tour where only some services run', () => {
  expect(told(true, services.slice(0, 2))).toContain('Open fhir')
  expect(told(true, services.slice(0, 2))).not.toContain('tour')
})

it('tells an operator where everything is, and nothing of a demo', () => {
  expect(told(false)).toContain('The consent service       http://localhost/consent')
  expect(told(false)).not.toMatch(/Try first|tour/)
})
