import { defineService, workGraceMs } from '../../packages/service/service.ts'
import { measureQueues } from '../../packages/sql/tasks/measure-queues.ts'
import { seedDemo } from './demo/seed-demo.ts'
import { makeFhirDeps } from './make-deps.ts'
import { mergeQueue } from './patient-index/merges/note-merges.ts'
import { repointMerged } from './patient-index/merges/repoint-merged.ts'
import { lookAgain } from './patient-index/second-looks/look-again.ts'
import { secondLookQueue } from './patient-index/second-looks/second-look.ts'
import { fhirOffers } from './offers.ts'
import { fhirErrors } from './routes/fhir-errors.ts'
import { fhirRoutes } from './routes/routes.ts'
import type { FhirSection } from './section.ts'

export const fhirService = defineService({
  name: 'fhir',
  title: 'FHIR store',
  purpose:
    'Keeps the FHIR R4 record, the patient index, the facility registry and the terminology, and enforces SMART scopes.',
  build: async (section: FhirSection, kit) => {
    const deps = await makeFhirDeps(section, kit)
    if (kit.mode === 'demo') {
      kit.onProgress?.('Writing the demo data')
      await seedDemo(deps, (done, all) => kit.onProgress?.(`Writing the demo data (${done} of ${all})`))
    }
    const merges = repointMerged({ ...deps, log: kit.log })
    merges.start()
    const secondLooks = lookAgain(deps)
    secondLooks.start()
    const measuring = measureQueues({ topics: [], jobs: [mergeQueue, secondLookQueue] }, kit)
    return {
      routes: fhirRoutes(section),
      deps,
      errors: fhirErrors,
      offers: fhirOffers(deps),
      checks: { audit: () => deps.auditor.check() },
      tryFirst: [
        { title: 'See what the store can do', text: 'Its capability statement.', href: `${section.url}/metadata` },
      ],
      close: async () => {
        await measuring.end()
        await Promise.all([merges, secondLooks].map((worker) => worker.stop(kit.graceMs(workGraceMs))))
        await deps.store.close()
        await deps.auditor.close()
      },
    }
  },
})
