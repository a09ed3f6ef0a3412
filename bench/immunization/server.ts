// The app that immunization.ts measures, with its portal and store, in a process of its own.
import { corridorConfiguration } from '../../apps/corridor/load-configuration.ts'
import { runCorridor } from '../../apps/corridor/run/run-corridor.ts'
import { serviceNames, type ServiceName } from '../../apps/corridor/service-names.ts'
import { quietProgress } from '../../apps/corridor/terminal.ts'
import { systemClock, type Clock } from '../../packages/clock/clock.ts'
import { variableOf } from '../../packages/config/schema.ts'
import { silentLog } from '../../packages/log/log.ts'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { freePort } from '../../packages/testkit/free-port.ts'
import { AppVisitor } from '../../services/immunization/testing/app-visitor.ts'

/** What the program prints, as one line of JSON. */
export interface AppServers {
  /** Remembers a session's record for a minute, as the app does. */
  readonly url: string
  /** Reads the record from the FHIR store for every request. */
  readonly forgetfulUrl: string
  /** Of a session for a patient with sixty doses. */
  readonly cookie: string
}

const [databaseUrl = '', dataDir = ''] = process.argv.slice(2)
const doses = 60

const corridor = await start(['auth', 'fhir', 'immunization'], systemClock)
await addDoses(corridor.url('fhir'), corridor.url('auth'))
const visitor = new AppVisitor(corridor)
await visitor.launch('sixty-doses')
const forgetful = await start(['immunization'], leapingClock(), {
  'fhir.url': corridor.url('fhir'),
  'auth.url': corridor.url('auth'),
})
const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const servers: AppServers = { url: corridor.url('immunization'), forgetfulUrl: forgetful.url('immunization'), cookie }
process.stdout.write(`${JSON.stringify(servers)}\n`)

/** To it every minute is over at once. */
function leapingClock(): Clock {
  let leaps = 0
  return { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + ++leaps * 61_000 }
}

async function start(services: readonly ServiceName[], clock: Clock, settings: Record<string, string> = {}) {
  const ports = await Promise.all(serviceNames.map(async (name) => [`${name}.port`, String(await freePort())] as const))
  const values = { 'database.url': databaseUrl, dataDir, ...Object.fromEntries(ports), ...settings }
  const environment = Object.fromEntries(Object.entries(values).map(([path, value]) => [variableOf(path), value]))
  const loaded = corridorConfiguration({ demo: true, environment })
  await runCorridor(loaded, { services, clock, log: silentLog, progress: quietProgress })
  return { url: (name: ServiceName) => loaded.configuration[name].url }
}

async function addDoses(fhir: string, auth: string): Promise<void> {
  const token = await demoToken(auth, 'svc-bridge')
  const patient = {
    resourceType: 'Patient',
    id: 'sixty-doses',
    birthDate: '1990-01-01',
    name: [{ text: 'Sixty Doses' }],
  }
  const given = Array.from({ length: doses }, (_, at) => ({
    ...{ resourceType: 'Immunization', id: `sixty-doses-${at}`, status: 'completed', lotNumber: `LOT${at}` },
    patient: { reference: 'Patient/sixty-doses' },
    vaccineCode: { coding: [{ system: 'urn:bench', code: `V${at % 20}`, display: `Vaccine number ${at % 20}` }] },
    occurrenceDateTime: `20${String(10 + (at % 15))}-0${(at % 9) + 1}-11`,
    performer: [{ actor: { display: 'A health centre far away' } }],
    protocolApplied: [{ series: 'A series', doseNumberPositiveInt: Math.floor(at / 20) + 1 }],
  }))
  const response = await fetch(fhir, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/fhir+json' },
    body: JSON.stringify({
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [patient, ...given].map((resource) => ({
        resource,
        request: { method: 'PUT', url: `${resource.resourceType}/${resource.id}` },
      })),
    }),
  })
  if (!response.ok) throw new Error(`the doses were not stored: ${response.status} ${await response.text()}`)
}
