import { invalid } from '../../../packages/faults/fault.ts'
import { text } from '../../../packages/http/fields.ts'
import { pageOf, pageQuery, PageSchema, readPage } from '../../../packages/http/page-envelope.ts'
import { roles } from '../../../packages/http/who.ts'
import { auditLook } from '../audit/audit-look.ts'
import { consentRoute } from '../deps.ts'
import { organisationReference } from '../record/references.ts'
import { pageOfOrganisation } from '../store/records.ts'
import { ConsentView, viewOf } from './view.ts'

const limits = { defaultSize: 50, maxSize: 200 }

/** Clients write a reference in an address plainly, encoded, or as the bare id. */
export const listOrganisationConsents = [
  '/api/consent/admin/org/:orgId',
  '/api/consent/admin/org/Organization/:orgId',
].map((path, index) =>
  consentRoute({
    method: 'GET',
    path,
    who: roles('ADMIN'),
    summary: 'The consents that an organisation owns, newest first',
    tags: ['Administration'],
    hidden: index > 0,
    input: { params: { orgId: text({ max: 160 }) }, query: pageQuery(limits) },
    output: { 200: PageSchema(ConsentView) },
    run: async ({ params, query, caller, request }, deps) => {
      const wanted = readPage(query, limits)
      const organisationId = organisationReference(params.orgId)
      if (organisationId === undefined) {
        throw invalid({ path: 'orgId', message: 'must be Organization/<id>' })
      }
      const shown = { patientId: null, recordId: null, organisation: organisationId }
      // At the same time: whoever waits for a list does not wait for two things.
      const [{ records, total }] = await Promise.all([
        pageOfOrganisation(organisationId, wanted, deps.database),
        auditLook(shown, { caller, request }, deps),
      ])
      return pageOf(records.map(viewOf), wanted, total)
    },
  }),
)
