import type { FhirUseCases, WrittenText } from '../../ports/fhir-store/in-process-fhir-store.ts'
import type { FhirStoreOptions } from '../../ports/neighbours.ts'
import { identifierToken, matchesPerIdentifierMax } from '../../ports/fhir-store/identifier-token.ts'
import { bug, conflict } from '../../packages/faults/fault.ts'
import type { Caller } from '../../packages/tokens/caller.ts'
import type { Interaction } from './audit/audited-access.ts'
import type { Answer, AnsweredPart } from './interactions/answer.ts'
import { recordAnswer, recordFault, recordParts, type Access } from './interactions/audited.ts'
import { processBundle } from './interactions/bundle/process-bundle.ts'
import { findByIdentifiers } from './interactions/find-by-identifiers.ts'
import { read, versionNumber } from './interactions/read.ts'
import { search } from './interactions/search.ts'
import { create, remove, update, updateMatching } from './interactions/write.ts'
import type { FhirDeps } from './routes/deps.ts'

/** The use cases for a caller in the same process: the same rights, the same checks, the same audit log, no HTTP. */
export function fhirUseCases(
  caller: Caller,
  deps: FhirDeps,
  { auditsItself = false }: FhirStoreOptions = {},
): FhirUseCases {
  const access = deps.authorize(caller)
  const audited = async (
    what: { interaction: Interaction } & Pick<Access, 'named' | 'question'>,
    work: (tellRefused: (parts: readonly AnsweredPart[]) => void) => Promise<Answer>,
  ): Promise<Answer> => {
    const record = { ...what, caller, requestId: deps.ids.uuid() }
    await deps.audit.admit()
    try {
      const answer = await work((parts) => {
        if (!auditsItself) recordParts(record, parts, deps)
      })
      if (!auditsItself) recordAnswer(record, answer, deps)
      return answer
    } catch (thrown) {
      recordFault(record, thrown, deps)
      throw thrown
    }
  }
  return {
    read: async (type, id) =>
      contentIn(
        await audited({ interaction: 'read', named: [{ type, id }] }, () =>
          read({ type, id, access }, deps, deps.database),
        ),
      ),
    search: async (type, query) =>
      contentIn(
        await audited({ interaction: 'search-type', question: `${type}?${query}` }, () =>
          search({ type, query, access, isStrict: true }, deps, deps.database),
        ),
      ),
    findByIdentifiers: async (sought) => {
      const identifiers = sought.map((one) => ({ ...one, system: one.system, token: identifierToken(one) }))
      const request = { identifiers, perIdentifierMax: matchesPerIdentifierMax, access }
      return contentIn(
        await audited({ interaction: 'search-type' }, () => findByIdentifiers(request, deps, deps.database)),
      )
    },
    create: async (resource, unless) => {
      const type = typeOf(resource)
      const request = { type, resource, access, ...(unless === undefined ? {} : { unless }) }
      const question = unless === undefined ? type : `${type}?${unless}`
      return writtenIn(await audited({ interaction: 'create', question }, () => create(request, deps)))
    },
    update: async (resource, id, version) => {
      const type = typeOf(resource)
      const request = { type, id, resource, access, ...preconditionOf(version) }
      return writtenIn(await audited({ interaction: 'update', named: [{ type, id }] }, () => update(request, deps)))
    },
    updateMatching: async (resource, query, { version, mustBeNew }) => {
      const type = typeOf(resource)
      const condition = mustBeNew ? { precondition: { isAbsent: mustBeNew } } : preconditionOf(version)
      const request = { type, query, resource, access, ...condition }
      return writtenIn(
        await audited({ interaction: 'update', question: `${type}?${query}` }, () => updateMatching(request, deps)),
      )
    },
    remove: async (type, id) => {
      await audited({ interaction: 'delete', named: [{ type, id }] }, () => remove({ type, id, access }, deps))
    },
    bundle: async (bundle) =>
      contentIn(
        await audited({ interaction: 'operation' }, (tellRefused) =>
          processBundle({ bundle, access, shows: 'nothing', isStrict: true, tellRefused }, deps),
        ),
      ),
  }
}

const typeOf = (resource: object): string =>
  'resourceType' in resource && typeof resource.resourceType === 'string' ? resource.resourceType : ''

function preconditionOf(version: string | undefined) {
  if (version === undefined) return {}
  const number = versionNumber(version)
  if (number === undefined) throw conflict('This version never existed.', { code: 'PRECONDITION_FAILED' })
  return { precondition: { version: number } }
}

function contentIn(answer: Answer): string {
  if (answer.kind === 'made') return answer.content
  if (answer.kind === 'absent' || answer.stored.content === undefined) throw bug('an answer has no content')
  return answer.stored.content
}

function writtenIn(answer: Answer): WrittenText {
  const { kind } = answer
  if (kind !== 'created' && kind !== 'updated' && kind !== 'kept') throw bug(`a write was answered with ${kind}`)
  return { content: contentIn(answer), outcome: kind }
}
