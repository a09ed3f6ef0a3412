import { it } from 'vitest'
import { Session } from 'node:inspector/promises'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../packages/clock/ids.ts'
import { callerWith } from '../../packages/http/test-server.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { inProcessFhirStore } from '../../ports/fhir-store/in-process-fhir-store.ts'
import { fhirUseCases } from './in-process.ts'
import { fhirOffers } from './offers.ts'
import { fhirWorld } from './testing/fhir-world.ts'
import { startDispatch } from '../bridge/outbound/start-dispatch.ts'
import { coordinationSettings, outboundSettings } from '../bridge/outbound/testing/dispatch-world.ts'
import { startAudit } from '../bridge/audit/start-audit.ts'
import { bridgeDatabase } from '../bridge/testing/bridge-database.ts'
import { encounter, patient } from '../bridge/outbound/testing/clinical-resources.ts'
import { finishedMessage, succeeded } from '../bridge/audit/testing/finished-messages.ts'

const count = 1000
it('bench', { timeout: 300_000 }, async () => {
  await using world = await fhirWorld()
  await using server = await bridgeDatabase()
  const database = await openDatabase({ url: server.url, poolMax: 6, log: silentLog })
  const caller = callerWith(['SYSTEM'], 'system/*.cruds')
  const fhirStore = inProcessFhirStore(fhirUseCases(caller, world.deps))
  const matching = fhirOffers(world.deps).resourceMatching(caller)
  const common = { mode: 'demo' as const, database, clock: systemClock, ids: systemIds, random: systemRandom, log: silentLog, metrics: new Metrics() }
  const entry = Array.from({ length: count }, (_, n) => [
    { resource: { ...patient, id: `p${n}` }, request: { method: 'PUT' as const, url: `Patient/p${n}` } },
    { resource: { ...encounter('in-progress', 'IMP'), id: `e${n}`, subject: { reference: `Patient/p${n}` } }, request: { method: 'PUT' as const, url: `Encounter/e${n}` } },
  ]).flat()
  await fhirStore.transaction({ resourceType: 'Bundle', type: 'transaction', entry })
  const finished = Array.from({ length: count }, (_, n) => finishedMessage({ transactionId: `t${n}`, outcome: { ...succeeded, patient: `Patient/p${n}`, resources: [
    { reference: `Patient/p${n}`, type: 'Patient', versionId: '1', operation: 'create' },
    { reference: `Encounter/e${n}`, type: 'Encounter', versionId: '1', operation: 'create' } ] } }))
  const measure = async (what: string, work: () => Promise<void>) => {
    const session = new Session(); session.connect(); await session.post('Profiler.enable'); await session.post('Profiler.start')
    const cpu = process.cpuUsage(); const at = performance.now()
    await work()
    const used = process.cpuUsage(cpu)
    const { profile } = await session.post('Profiler.stop')
    const self = new Map<string, number>(); const incl = new Map<string, number>()
    const byId = new Map(profile.nodes.map((n) => [n.id, n])); const parent = new Map<number, number>()
    for (const n of profile.nodes) for (const c of n.children ?? []) parent.set(c, n.id)
    profile.samples!.forEach((id, i) => { const dt = profile.timeDeltas![i]! / 1000; const n = byId.get(id)!; const name = (x: typeof n) => x.callFrame.functionName + ' ' + x.callFrame.url.split('/').slice(-2).join('/') + ':' + x.callFrame.lineNumber
      self.set(name(n), (self.get(name(n)) ?? 0) + dt); const seen = new Set<string>(); for (let at: number | undefined = id; at !== undefined; at = parent.get(at)) { const k = name(byId.get(at)!); if (!seen.has(k)) { seen.add(k); incl.set(k, (incl.get(k) ?? 0) + dt) } } })
    const top = (m: Map<string, number>, k: number) => [...m].sort((a, b) => b[1] - a[1]).slice(0, k).map(([n, t]) => t.toFixed(0) + ' ' + n).join('\n')
    console.log('SELF\n' + top(self, 25) + '\nINCL\n' + top(incl, 60))
    console.log(what, 'cpu ms/message', ((used.user + used.system) / 1000 / count).toFixed(3), 'wall ms/message', ((performance.now() - at) / count).toFixed(3))
  }
  const dispatch = await startDispatch({ outbound: outboundSettings, coordination: coordinationSettings }, { ...common, fhirStore, matching, fhirBase: world.base, facilityCode: 'HIE', authorities: { base: 'https://x.example', namespaces: new Map() } })
  await dispatch.drain()
  await measure('dispatch', async () => {
    for (const part of dispatch.finishParts) { for (let i = 0; i < count; i += 50) { const s = part.statement(finished.slice(i, i + 50)); if (s) await database.run(s) }; part.committed() }
    await dispatch.drain()
  })
  console.log((await database.many({} as never).catch(() => [])).length, await dispatch.deliveriesOf('sub-01-patient-upsert', { limit: 2000 }).then((d) => d.filter((x) => x.status === 'delivered').length), await dispatch.deliveriesOf('sub-03-inpatient-admit', { limit: 2000 }).then((d) => d.filter((x) => x.status === 'delivered').length))
  await dispatch.close()
  for (const toFhir of [false, true]) {
    const audit = await startAudit({ repositoryHost: toFhir ? undefined : undefined, repositoryPort: 0, repositoryCaFile: undefined, certificateFile: undefined, keyFile: undefined, receiverPort: 0, toFhir, sourceId: 's', site: undefined, patientAuthority: 'C' }, { ...common, fhirStore })
    await measure(`audit fhir=${toFhir}`, async () => {
      for (const part of audit.finishParts) { for (let i = 0; i < count; i += 50) { const s = part.statement(finished.slice(i, i + 50).map((f) => ({ ...f, attempt: toFhir ? 2 : 1 }))); if (s) await database.run(s) }; part.committed() }
      await audit.drain()
    })
    await audit.close()
  }
  await database.close()
})
