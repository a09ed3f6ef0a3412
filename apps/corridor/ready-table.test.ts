import { expect, it } from 'vitest'
import { corridorConfiguration } from './load-configuration.ts'
import { readyTable } from './ready-table.ts'
import { serviceNames } from './service-names.ts'

const services = serviceNames.map((name) => ({
  ...{ name, title: `The ${name} service`, url: `http://localhost/${name}`, accounts: [] },
  tryFirst: [{ title: `Open ${name}`, text: '', href: '/first' }],
}))

const told = (demo: boolean, running = services, file?: string) => {
  const { configuration } = corridorConfiguration({ demo, environment: {} })
  return readyTable({ configuration, services: running, version: '1.2.3' }, { hasColour: false, file })
}

it('leads a newcomer to the tour first, and to each service', () => {
  expect(told(true)).toMatch(/Try first\n {2}Take the tour.*\n {4}npm run --silent corridor -- tour\n {2}Open auth\n/)
})

it.each([
  ['other.yaml', '--config other.yaml'],
  ["my site's/other.yaml", String.raw`--config 'my site'\''s/other.yaml'`],
])('leads to the tour of this Corridor, where it was started with the file %s', (file, words) => {
  expect(told(true, services, file)).toContain(`corridor -- tour ${words}\n`)
})

it('says where messages are taken, where the bridge runs', () => {
  expect(told(false)).toContain('HL7 v2 over MLLP')
  expect(told(false)).toContain('127.0.0.1, ports 2575 ADT, 2576 ORU')
  expect(told(false, services.slice(0, 2))).not.toContain('MLLP')
})

it('offers no tour where only some services run', () => {
  expect(told(true, services.slice(0, 2))).toContain('Open fhir')
  expect(told(true, services.slice(0, 2))).not.toContain('tour')
})

it('tells an operator where everything is, and nothing of a demo', () => {
  expect(told(false)).toContain('The consent service       http://localhost/consent')
  expect(told(false)).not.toMatch(/Try first|tour/)
})
