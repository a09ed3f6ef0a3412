import { glob } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { describe, expect, it } from 'vitest'
import { configurationSchema } from '../../apps/corridor/configuration.ts'
import { keysOf } from '../../packages/config/schema.ts'
import { projectFolder, readText, readYaml } from './read-file.ts'

const deployments = readText('deploy/helm/corridor/templates/deployments.yaml')

describe('the files of the packages', () => {
  it.each(['compose.yaml', 'deploy/helm/corridor/Chart.yaml', 'deploy/helm/corridor/values.yaml'])(
    '%s is YAML',
    (file) => {
      expect(parseAllDocuments(readText(file)).flatMap(({ errors }) => errors)).toEqual([])
    },
  )

  it('have the version of Corridor in the chart', () => {
    const { version } = JSON.parse(readText('package.json')) as { version: string }
    expect(readYaml('deploy/helm/corridor/Chart.yaml')).toMatchObject({ version, appVersion: version })
  })

  it('take the database of compose.yaml for ready only when it can be reached, however long it recovers', () => {
    const { services } = readYaml('compose.yaml') as {
      services: { database: { healthcheck: { test: string[]; start_period: string } } }
    }
    const { test, start_period: patience } = services.database.healthcheck
    // While the image makes the database, a server of its own answers on the socket.
    expect(test).toContain('--host=127.0.0.1')
    expect(patience).toBe('5m')
  })

  it('start Corridor again also after an end in good order, such as one by SIGHUP', () => {
    expect(readText('deploy/systemd/corridor.service').split('\n')).toContain('Restart=always')
    const { services } = readYaml('compose.yaml') as { services: { corridor: { restart: string } } }
    expect(services.corridor.restart).toBe('unless-stopped')
  })

  it('hold no secret: every secret of compose.yaml is a file that Git leaves out', () => {
    const { secrets } = readYaml('compose.yaml') as { secrets: Record<string, { file: string }> }
    const made = readText('deploy/compose/make-secrets.sh')
    for (const [name, { file }] of Object.entries(secrets)) {
      expect(file).toBe(`deploy/compose/secrets/${name}`)
      expect(made).toContain(name)
    }
    expect(readText('deploy/compose/secrets/.gitignore')).toMatch(/^\*$/m)
  })

  it('use in the chart only values that it has', async () => {
    const values = readYaml('deploy/helm/corridor/values.yaml') as Record<string, unknown>
    const asked = new Set<string>()
    for await (const file of glob('deploy/helm/corridor/templates/*', { cwd: projectFolder })) {
      const text = readText(file)
      for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) asked.add(path)
      const blocks = [...text.matchAll(/\{\{-?\s*(if|range|with|define|end)\b/g)].map(([, word]) => word)
      const ends = blocks.filter((word) => word === 'end').length
      expect([file, ends * 2]).toEqual([file, blocks.length])
    }
    const isThere = (path: string) =>
      path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], values)
    expect([...asked].filter((path) => isThere(path) === undefined)).toEqual([])
    expect(asked.size).toBeGreaterThan(20)
  })

  it('give the pods of the chart and the unit no more rights than they need', () => {
    const pods = deployments + readText('deploy/helm/corridor/templates/_helpers.tpl')
    for (const line of [
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
      'drop: [ALL]',
      'type: RuntimeDefault',
      'enableServiceLinks: false',
      'automountServiceAccountToken: false',
      'path: /actuator/health/liveness',
      'path: /actuator/health/readiness',
    ]) {
      expect(pods).toContain(line)
    }
    const unit = readText('deploy/systemd/corridor.service')
    for (const line of ['DynamicUser=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=']) {
      expect(unit.split('\n')).toContain(line)
    }
  })

  const isTiedToNode = 'include "corridor.isTiedToNode" (dict "root" $root "service" $service)'

  it('let the pod that has the keys go before the next one comes, where one node alone holds their volume', () => {
    const [, condition, then, otherwise] =
      /strategy:\n *\{\{- if (.+) \}\}\n([^]*?)\{\{- else \}\}\n([^]*?)\{\{- end \}\}/.exec(deployments) ?? []
    expect(condition).toBe(isTiedToNode)
    expect(readText('deploy/helm/corridor/templates/_helpers.tpl')).toContain(
      '{{- define "corridor.isTiedToNode" -}}\n' +
        '{{- if and (eq .service "auth") (ne .root.Values.keys.accessMode "ReadWriteMany") -}}true{{- end -}}\n',
    )
    expect(then).toMatch(/^ {4}type: Recreate$/m)
    expect(otherwise).toMatch(/^ {4}type: RollingUpdate$/m)
  })

  it('make no more copies of that pod by themselves: one on another node would wait for the volume for ever', () => {
    expect(readText('deploy/helm/corridor/templates/autoscalers.yaml')).toContain(
      `{{- if not (${isTiedToNode}) }}\n---`,
    )
    expect(deployments).toContain(
      `{{- if or (not $root.Values.autoscaling.enabled) (${isTiedToNode}) }}\n  replicas: {{ $of.replicas }}\n`,
    )
  })

  it('give every container of a pod the same environment and the same few rights', () => {
    const containers = deployments.split(/^ {8}- name: /m).filter((part) => part.includes('args: ['))
    expect(containers.map((part) => /args: \[(\w+)/.exec(part)?.[1])).toEqual(['migrate', 'start'])
    for (const part of containers) {
      expect(part).toContain('{{- include "corridor.environment" $root | nindent 12 }}')
      expect(part).toContain('{{- include "corridor.containerSecurity" $root | nindent 12 }}')
    }
  })

  it('keep the bridge reachable while its neighbours are away, and let every other service be asked whether it is ready', () => {
    const [, probe = ''] = /readinessProbe:([^]*?)periodSeconds/.exec(deployments) ?? []
    expect([...probe.matchAll(/\{\{- (.*?) \}\}|path: ([\w/]+)/g)].map(([, control, path]) => control ?? path)).toEqual(
      ['if eq $service "bridge"', '/actuator/health/liveness', 'else', '/actuator/health/readiness', 'end'],
    )
  })

  it('ask a listener with a certificate of its own by TLS, and every other one in the clear', () => {
    const asked = [...deployments.matchAll(/httpGet: .*/g)].map(([line]) => line)
    expect(asked).toHaveLength(4)
    for (const line of asked) expect(line).toContain('scheme: {{ $scheme }}')
    expect(deployments).toContain(
      '{{- $scheme := ternary "HTTPS" "HTTP" (dig $service "tls" "certificateFile" "" $root.Values.config | not | not) }}',
    )
  })

  it('let no list of clients in `config` take the place of the accounts of the services', () => {
    const helpers = readText('deploy/helm/corridor/templates/_helpers.tpl')
    const [, keys, test] =
      /\{\{- range \$key := list (.+) -\}\}\n\{\{- if (.+?) -\}\}\{\{- fail \(printf "config\.auth\.%s /.exec(
        helpers,
      ) ?? []
    expect([keys, test]).toEqual(['"clients" "clientsFile"', 'dig "auth" $key "" $.Values.config'])
    expect(helpers).toContain('set $own.auth "clients" (concat $accounts (list $app) .Values.clients)')
  })

  it('let the pod in which commands run open what the immunization app has sealed', () => {
    const [, condition] =
      /\{\{- (.*) \}\}\n.*\n.*CORRIDOR_IMMUNIZATION_CERTIFICATE_KEY_SECRET_FILE/.exec(deployments) ?? []
    expect(condition).toBe('if has $service (list "auth" "immunization")')
    expect(readText('deploy/helm/corridor/templates/NOTES.txt')).toContain(
      '-auth --container auth -- node bin/corridor.js doctor',
    )
  })

  it('ask no more connections of a PostgreSQL than it has, also while a new version comes up', () => {
    interface Values {
      config: { database: { poolMax: number } }
      services: Record<string, { replicas: number }>
    }
    const { config, services } = readYaml('deploy/helm/corridor/values.yaml') as Values
    const podsOf = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + (services[name]?.replicas ?? 0) + 1, 0)
    // Without the store in their process, these hear what is told in it over a connection of their own.
    const hearing = podsOf(['consent', 'referral', 'bridge'])
    // Of the 100 that are its default, 3 are kept for its superuser.
    expect(podsOf(Object.keys(services)) * config.database.poolMax + hearing).toBeLessThanOrEqual(97)
    expect(deployments).toContain('maxSurge: 1')
  })

  it('hand the service of systemd every file of a secret that the example of production.md names', () => {
    const unit = readText('deploy/systemd/corridor.service').split('\n')
    const [, example = ''] = /```yaml\n([^`]*)```/.exec(readText('docs/production.md')) ?? []
    const secrets = keysOf(configurationSchema).filter(({ key }) => key.secret)
    const named = secrets.flatMap(({ path, variable }) => {
      const file: unknown = `${path}File`.split('.').reduce<unknown>(inside, parse(example))
      return typeof file === 'string' ? [{ file, variable }] : []
    })
    expect(named.map(({ variable }) => variable)).toEqual([
      'CORRIDOR_DATABASE_URL',
      'CORRIDOR_IMMUNIZATION_CERTIFICATE_KEY_SECRET',
    ])
    for (const { file, variable } of named) {
      expect(unit).toContain(`LoadCredential=${basename(file)}:${file}`)
      expect(unit).toContain(`Environment=${variable}_FILE=%t/credentials/%n/${basename(file)}`)
    }
    // Of systemd 251, where Ubuntu 22.04 has 249: a line with it would be left out there, and the service find no database.
    expect(`${unit.join('\n')}${readText('docs/operations.md')}`).not.toMatch(/^Environment=.*%d/m)
  })
})

const inside = (node: unknown, name: string): unknown =>
  typeof node === 'object' && node !== null ? new Map<string, unknown>(Object.entries(node)).get(name) : undefined
