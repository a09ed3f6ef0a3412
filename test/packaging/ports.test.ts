import { describe, expect, it } from 'vitest'
import { configurationSchema } from '../../apps/corridor/configuration.ts'
import { corridorConfiguration } from '../../apps/corridor/load-configuration.ts'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { keysOf } from '../../packages/config/schema.ts'
import { channelIds } from '../../services/bridge/pipeline/channel.ts'
import { readText, readYaml } from './read-file.ts'

const { configuration } = corridorConfiguration({ environment: {} })
const http = Object.fromEntries(serviceNames.map((name) => [name, configuration[name].port]))
const mllp = channelIds.map((id) => configuration.bridge.channels[id].port)
const mllpRange = `${mllp[0]}-${mllp.at(-1)}`

describe('the ports of the packages are those of the configuration', () => {
  it('in compose.yaml, and published to this machine only', () => {
    const { services } = readYaml('compose.yaml') as { services: { corridor: { ports: string[] } } }
    const wanted = [...Object.values(http), mllpRange].map((port) => `127.0.0.1:${port}:${port}`)
    expect(services.corridor.ports.toSorted()).toEqual(wanted.toSorted())
  })

  it('in what a hospital adds to it: MLLP for its senders, and nothing else for others than this machine', () => {
    interface Override {
      services: { corridor: { ports: string[]; environment: Record<string, string>; volumes: { target: string }[] } }
      networks: { default: { ipam: { config: { gateway: string }[] } } }
    }
    const { services, networks } = readYaml('deploy/compose/compose.override.yaml') as Override
    const { ports, environment, volumes } = services.corridor
    expect(ports).toEqual([`10.1.0.5:${mllpRange}:${mllpRange}`])
    expect(volumes).toMatchObject([{ target: environment['CORRIDOR_CONFIG'], source: './corridor.yaml' }])
    const gateways = networks.default.ipam.config.map(({ gateway }) => gateway)
    expect(readText('docs/production.md')).toContain(`\`[${gateways.join()}]\` with the`)
  })

  it('in the image', () => {
    const [, exposed = ''] = /^EXPOSE (.*)$/m.exec(readText('Dockerfile')) ?? []
    expect(exposed.split(' ').toSorted()).toEqual([...Object.values(http).map(String), mllpRange].toSorted())
    expect(readText('Dockerfile')).toContain(`HEALTH_URL=http://127.0.0.1:${http['auth']}/actuator/health/liveness`)
  })

  it('in the chart, with one Deployment a service and one MLLP port a channel', () => {
    interface Values {
      services: Record<string, { port: number; replicas: number; mllp?: { port: number; channels: string[] } }>
    }
    const { services } = readYaml('deploy/helm/corridor/values.yaml') as Values
    expect(Object.fromEntries(Object.entries(services).map(([name, { port }]) => [name, port]))).toEqual(http)
    expect(Object.values(services).every(({ replicas }) => replicas >= 2)).toBe(true)
    expect(services['bridge']?.mllp).toMatchObject({ port: mllp[0], channels: [...channelIds] })
  })

  it('in the chart, where a channel is left out or has another port', () => {
    const helpers = readText('deploy/helm/corridor/templates/_helpers.tpl')
    // A channel's port follows from its place among all of them, not among those that the values name.
    expect(/define "corridor.channels" -}}([a-z ]*)/.exec(helpers)?.[1]?.split(' ')).toEqual([...channelIds])
    for (const file of ['services', 'deployments']) {
      const text = readText(`deploy/helm/corridor/templates/${file}.yaml`)
      const [, named] = /range (.*?) \}\}\s*- name: mllp-/.exec(text) ?? []
      expect([file, named]).toEqual([file, '$channel, $port := include "corridor.mllpPorts" $root | fromYaml'])
    }
  })

  it('in the chart, where no channel is left: Kubernetes takes no Service without ports', () => {
    const services = readText('deploy/helm/corridor/templates/services.yaml')
    const [, condition] = /\{\{- if (.*) \}\}\n---\n[^]{0,80}name: \{\{ \$name \}\}-mllp\n/.exec(services) ?? []
    expect(condition).toBe('include "corridor.mllpPorts" $root | fromYaml')
  })
})

it.each([
  'Dockerfile',
  'compose.yaml',
  'deploy/compose/compose.override.yaml',
  'deploy/helm/corridor/templates/_helpers.tpl',
  'deploy/helm/corridor/templates/deployments.yaml',
  'deploy/systemd/corridor.service',
])('%s sets no variable that Corridor does not know', (file) => {
  const known = keysOf(configurationSchema).flatMap(({ variable, key }) =>
    key.secret ? [variable, `${variable}_FILE`] : [variable],
  )
  // The chart writes the name of a service into its variable.
  const text = serviceNames.map((name) => readText(file).replaceAll('{{ $service | upper }}', name.toUpperCase()))
  const set = new Set(text.join('\n').match(/CORRIDOR_[A-Z_]+/g) ?? [])
  const unknown = [...set].filter((name) => ![...known, 'CORRIDOR_CONFIG'].includes(name))
  // Only three services have a service account.
  expect(unknown.filter((name) => !/^CORRIDOR_(AUTH|FHIR|IMMUNIZATION)_CLIENT_SECRET_FILE$/.test(name))).toEqual([])
})
