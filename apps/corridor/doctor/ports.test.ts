import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { testServer } from '../../../packages/http/testing/test-server.ts'
import { makeCertificate } from '../../../packages/keys/certificate.ts'
import { ownPlace } from '../../../packages/testkit/corridor-command.ts'
import { corridorConfiguration } from '../load-configuration.ts'
import { serviceNames } from '../service-names.ts'
import { checkPorts } from './ports.ts'

const deps = { clock: systemClock, running: serviceNames }

it.each([
  { what: 'behind a proxy that is down', isTls: false },
  { what: 'with a certificate whose authority this shell does not know', isTls: true },
])('a Corridor $what is known by the listener itself', async ({ isTls }) => {
  await using place = await ownPlace()
  const tls = isTls ? { tls: await makeCertificate({ name: 'auth.example.org' }) } : {}
  const port = Number(place.environment['CORRIDOR_AUTH_PORT'])
  await using _running = await testServer([], { name: 'auth', listen: { port, ...tls } })
  const { configuration } = corridorConfiguration({
    demo: true,
    environment: {
      ...place.environment,
      // Nobody answers there.
      CORRIDOR_AUTH_URL: 'https://auth.invalid',
      ...(isTls ? { CORRIDOR_AUTH_TLS_CERTIFICATE_FILE: 'auth.pem', CORRIDOR_AUTH_TLS_KEY_FILE: 'auth.key' } : {}),
    },
  })
  expect(await checkPorts(configuration, deps)).toContainEqual({
    ...{ check: `Port ${port}`, state: 'good', says: 'auth is running there' },
  })
})

it.each([
  ['another program that is UP', '/actuator/health', '{"status":"UP"}'],
  ['another service of Corridor', '/actuator/info', '{"build":{"artifact":"corridor-fhir"}}'],
])('%s is not taken for the service that the port is for', async (_who, path, answer) => {
  await using place = await ownPlace()
  const port = Number(place.environment['CORRIDOR_AUTH_PORT'])
  const other = createServer((request, response) => response.end(request.url === path ? answer : '{}'))
  await once(other.listen(port, '127.0.0.1'), 'listening')
  const { configuration } = corridorConfiguration({ demo: true, environment: place.environment })
  expect(await checkPorts(configuration, deps)).toContainEqual(
    expect.objectContaining({ check: `Port ${port}`, state: 'bad' }),
  )
  other.close()
})

it('asks for no port of a channel that is off', async () => {
  await using place = await ownPlace()
  const first = Number(place.environment['CORRIDOR_BRIDGE_MLLP_PORT'])
  const { configuration } = corridorConfiguration({
    demo: true,
    environment: { ...place.environment, CORRIDOR_BRIDGE_CHANNELS_ADT_ENABLED: 'false' },
  })
  const { port } = configuration.bridge.channels.adt
  const other = createServer()
  await once(other.listen(port, '127.0.0.1'), 'listening')
  expect((await checkPorts(configuration, deps)).filter(({ state }) => state === 'bad')).toEqual([])
  other.close()
  expect(port).toBe(first)
})

it.each([
  { hosts: 'CORRIDOR_LISTEN_HOSTS', of: 'CORRIDOR_FHIR_PORT', says: ', wanted for fhir' },
  { hosts: 'CORRIDOR_BRIDGE_MLLP_HOSTS', of: 'CORRIDOR_BRIDGE_MLLP_PORT', says: 'wanted for MLLP' },
])('another program on the second address of $hosts is found', async ({ hosts, of, says }) => {
  await using place = await ownPlace()
  const other = createServer()
  await once(other.listen(Number(place.environment[of]), '::1'), 'listening')
  const environment = { ...place.environment, [hosts]: '127.0.0.1,::1' }
  const findings = await checkPorts(corridorConfiguration({ demo: true, environment }).configuration, deps)
  const found = findings.filter(({ state }) => state === 'bad').map((finding) => finding.says)
  expect(found).toEqual([expect.stringContaining(says)])
  other.close()
})

it('two of our own listeners on one port are told of each other, and not of another program', async () => {
  await using place = await ownPlace()
  const shared = {
    CORRIDOR_CONSENT_PORT: place.environment['CORRIDOR_FHIR_PORT'],
    CORRIDOR_BRIDGE_CHANNELS_ORU_PORT: place.environment['CORRIDOR_BRIDGE_MLLP_PORT'],
  }
  const environment = { ...place.environment, ...shared }
  const findings = await checkPorts(corridorConfiguration({ demo: true, environment }).configuration, deps)
  expect(findings.filter(({ state }) => state === 'bad').map(({ says }) => says)).toEqual([
    `fhir.port and consent.port are both ${shared.CORRIDOR_CONSENT_PORT}.`,
    `bridge.channels.adt.port and bridge.channels.oru.port are both ${shared.CORRIDOR_BRIDGE_CHANNELS_ORU_PORT}.`,
  ])
})
