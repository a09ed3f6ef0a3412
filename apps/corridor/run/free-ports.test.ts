import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { testServer } from '../../../packages/http/testing/test-server.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { corridorConfiguration } from '../load-configuration.ts'
import { serviceNames } from '../service-names.ts'
import { checkFreePorts, sharedPorts } from './free-ports.ts'

async function sharing(port: number) {
  const environment = { CORRIDOR_AUTH_PORT: String(port), CORRIDOR_CONSENT_PORT: String(port) }
  return corridorConfiguration({ demo: true, environment }).configuration
}

it('two services on one port are told of each other, and not of another program', async () => {
  const port = await freePort()
  const configuration = await sharing(port)
  await expect(checkFreePorts(['auth', 'consent'], configuration, systemClock)).rejects.toThrow(
    `auth.port and consent.port are both ${port}. Give one of them another port.`,
  )
})

it.each([
  {
    what: 'a service and a channel',
    more: { CORRIDOR_BRIDGE_MLLP_PORT: '29375', CORRIDOR_FHIR_PORT: '29380' },
    says: ['fhir.port and bridge.channels.rde.port are both 29380.'],
  },
  {
    what: 'two channels',
    more: { CORRIDOR_BRIDGE_CHANNELS_ADT_PORT: '29400', CORRIDOR_BRIDGE_CHANNELS_ORU_PORT: '29400' },
    says: ['bridge.channels.adt.port and bridge.channels.oru.port are both 29400.'],
  },
  {
    what: 'a channel that does not listen',
    more: {
      ...{ CORRIDOR_BRIDGE_CHANNELS_ADT_PORT: '29400', CORRIDOR_BRIDGE_CHANNELS_ORU_PORT: '29400' },
      CORRIDOR_BRIDGE_CHANNELS_ORU_ENABLED: 'false',
    },
    says: [],
  },
  {
    what: 'a channel at another address',
    more: {
      CORRIDOR_BRIDGE_CHANNELS_ADT_PORT: '29380',
      CORRIDOR_FHIR_PORT: '29380',
      CORRIDOR_BRIDGE_MLLP_HOSTS: '10.0.0.1',
    },
    says: [],
  },
  {
    what: 'a channel at every address',
    more: {
      CORRIDOR_BRIDGE_CHANNELS_ADT_PORT: '29380',
      CORRIDOR_FHIR_PORT: '29380',
      CORRIDOR_BRIDGE_MLLP_HOSTS: '0.0.0.0',
    },
    says: ['fhir.port and bridge.channels.adt.port are both 29380.'],
  },
])('MLLP ports count: $what', ({ more, says }) => {
  const { configuration } = corridorConfiguration({ demo: true, environment: { ...more } })
  expect(sharedPorts(serviceNames, configuration)).toEqual(says)
})

it('they may share it in processes of their own, and any free port is no port that is shared', async () => {
  const configuration = await sharing(await freePort())
  await expect(checkFreePorts(['consent'], configuration, systemClock)).resolves.toBeUndefined()
  await expect(checkFreePorts(['auth', 'consent'], await sharing(0), systemClock)).resolves.toBeUndefined()
})

it.each([
  ['auth', `another Corridor (process ${process.pid})`],
  ['fhir', `another program (node, process ${process.pid})`],
])('a port that %s of a Corridor has is in use by %s to the authorization server', async (name, by) => {
  const port = await freePort()
  await using _running = await testServer([], { name, listen: { port } })
  const { configuration } = corridorConfiguration({ demo: true, environment: { CORRIDOR_AUTH_PORT: String(port) } })
  // Only Linux shows whose it is.
  const shown = process.platform === 'linux' ? by : by.replace(/ \(.*/, '')
  await expect(checkFreePorts(['auth'], configuration, systemClock)).rejects.toThrow(
    `Port ${port} (auth) is in use by ${shown}. Stop it, or set CORRIDOR_AUTH_PORT to a free port.`,
  )
})
