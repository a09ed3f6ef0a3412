import type { Node } from '../report.ts'
import { has, listAt, type Rules } from './rule.ts'

const requestTypes = new Set<unknown>(['batch', 'transaction', 'history'])
const responseTypes = new Set<unknown>(['batch-response', 'transaction-response', 'history'])

export const bundleRules: Rules = {
  Bundle: [
    {
      id: 'bdl-1',
      holds: ({ total, type }) => total === undefined || type === 'searchset' || type === 'history',
      advice: 'Only a searchset or a history has a total.',
    },
    {
      id: 'bdl-2',
      holds: (bundle) => bundle['type'] === 'searchset' || noEntryHas(bundle, 'search'),
      advice: 'Only the entries of a searchset have search.',
    },
    {
      id: 'bdl-3',
      holds: (bundle) =>
        requestTypes.has(bundle['type'])
          ? listAt(bundle, 'entry').every((entry) => has(entry, 'request'))
          : noEntryHas(bundle, 'request'),
      advice: 'Every entry of a batch, transaction or history needs a request, and no other has one.',
    },
    {
      id: 'bdl-4',
      holds: (bundle) =>
        responseTypes.has(bundle['type'])
          ? listAt(bundle, 'entry').every((entry) => has(entry, 'response'))
          : noEntryHas(bundle, 'response'),
      advice:
        'Every entry of a batch-response, transaction-response or history needs a response, and no other has one.',
    },
    {
      id: 'bdl-7',
      holds: (bundle) => bundle['type'] === 'history' || hasDistinctUrls(bundle),
      advice: 'Two entries have the same fullUrl. Make each fullUrl unique.',
    },
    {
      id: 'bdl-9',
      holds: (bundle) => {
        if (bundle['type'] !== 'document') return true
        const identifier = bundle['identifier'] as Node | undefined
        return identifier !== undefined && has(identifier, 'system') && has(identifier, 'value')
      },
      advice: 'A document needs an identifier with system and value.',
    },
    {
      id: 'bdl-10',
      holds: ({ type, timestamp }) => type !== 'document' || timestamp !== undefined,
      advice: 'A document needs a timestamp.',
    },
    {
      id: 'bdl-11',
      holds: (bundle) => bundle['type'] !== 'document' || firstType(bundle) === 'Composition',
      advice: 'The first resource of a document must be a Composition.',
    },
    {
      id: 'bdl-12',
      holds: (bundle) => bundle['type'] !== 'message' || firstType(bundle) === 'MessageHeader',
      advice: 'The first resource of a message must be a MessageHeader.',
    },
  ],
  'Bundle.entry': [
    {
      id: 'bdl-5',
      holds: (entry) => has(entry, 'resource') || has(entry, 'request') || has(entry, 'response'),
      advice: 'An entry needs a resource, a request or a response.',
    },
    {
      id: 'bdl-8',
      holds: ({ fullUrl }) => typeof fullUrl !== 'string' || !fullUrl.includes('/_history/'),
      advice: 'A fullUrl must not name a version. Leave out /_history/.',
    },
  ],
}

const noEntryHas = (bundle: Node, name: string) => listAt(bundle, 'entry').every((entry) => !has(entry, name))

const firstType = (bundle: Node) => (listAt(bundle, 'entry')[0]?.['resource'] as Node | undefined)?.['resourceType']

function hasDistinctUrls(bundle: Node): boolean {
  const seen = new Set<string>()
  for (const { fullUrl, resource } of listAt(bundle, 'entry')) {
    if (typeof fullUrl !== 'string') continue
    const meta = (resource as Node | undefined)?.['meta'] as Node | undefined
    const version = meta?.['versionId']
    const key = typeof version === 'string' ? `${fullUrl} ${version}` : fullUrl
    if (seen.has(key)) return false
    seen.add(key)
  }
  return true
}
