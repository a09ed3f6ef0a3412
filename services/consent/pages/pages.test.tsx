import type { VNode } from 'preact'
import { expect, it } from 'vitest'
import { dayIn } from '../../../packages/clock/day-in.ts'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import type { Role } from '../../../packages/tokens/caller.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { explain } from '../explain.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import type { LoggedEvent } from '../store/recent-events.ts'
import { recordWith, requestWith } from '../testing/record-fixture.ts'
import { usualQuestion } from './ask-form.tsx'
import { AskPage } from './ask-page.tsx'
import { ChangesView } from './changes-view.tsx'
import { emptyForm } from './consent-form.ts'
import { LogPage } from './log-page.tsx'
import { FormPage } from './form-page.tsx'
import { wordsOf } from '../words/words.ts'
import { OwnPage } from './own-page.tsx'
import { PatientPage } from './patient-page.tsx'
import { PreviewPage } from './preview-page.tsx'
import { RecordsPage } from './records-page.tsx'
import { RevokePage } from './revoke-page.tsx'
import { StartPage } from './start-page.tsx'
import { furtherPurposes, furtherTypes } from './what-changes.ts'
import { purposeWords, typeWords } from './words.ts'

const payload = '"><script>alert(1)</script>'
const today = '2026-03-04'
const { resourceTypes } = await loadDefinitions()

const visitorWith = (role: Role) => ({
  name: payload,
  caller: {
    ...{ subject: 's', clientId: 'c', roles: new Set([role]), scope: '', organisation: undefined, patient: undefined },
    ...{ encounter: undefined, fhirUser: undefined, tokenId: 't', grantId: undefined, expiresAt: new Date(0) },
  },
})
const frame = { visitor: visitorWith('ADMIN'), addresses: { consent: '' }, assetUrl: (name: string) => `/${name}` }
const patient = { id: 'p1', name: payload, birthDate: payload, age: payload, sex: payload, identifiers: [] }
const nasty = { note: payload, regulatoryBasis: payload, createdBy: payload, purposes: [payload] }
const record: ConsentRecord = { ...recordWith(nasty), actorReference: payload, resourceClasses: [payload] }
const english = { words: wordsOf('en'), isPatient: true }
const dayOf = (instant: Date) => dayIn('America/Lima', instant)
const named = { records: [record], nameOf: () => payload, today, dayOf, mayChange: () => true, against: () => [record] }
const facilities = [{ value: payload, label: payload }]
const change = {
  actors: [payload, null],
  more: 0,
  permitted: true,
  types: [payload],
  letters: 'rs',
  purposes: [payload],
}
const preview = { days: [{ day: today, changes: [change] }], isPartial: true, opposed: [record], basis: 'b' }
const values = { ...emptyForm, actor: payload, types: [payload], regulatoryBasis: payload, note: payload }
const question = requestWith({ actorReferences: [payload, payload] })
const explained = explain([{ ...record, actorReference: null, purposes: [] }], question, today)
const decision = { ...explained.decision, decisionId: payload, evaluatedAt: new Date(0), regulatoryBasis: payload }
const answer = { ...explained, question, decision, nameOf: () => payload }
const asked = {
  search: payload,
  found: [patient],
  hasMore: true,
  patient,
  values: { ...usualQuestion, device: payload },
  facilities,
}
const event: LoggedEvent = {
  ...{ at: new Date(0), event: 'evaluation', outcome: 'PERMIT', subject: payload, clientId: payload, recordId: 1 },
  ...{ patientId: payload, actorReferences: [payload], resourceType: payload, operation: payload },
  ...{ purposeOfUse: payload, patientsSeen: null },
}
const stats = { activeCount: 1, revokedCount: 0, totalDecisions: 1 }
const alerts = [{ caller: payload, windowStart: new Date(0), patients: 4, raisedAt: new Date(0) }]
const log = { ...named, stats, alerts, alertCount: 12_345 }
const empty = { alerts: [], alertCount: 0, events: [], about: '', older: undefined }
const listed = { organisation: payload, organisations: facilities, patients: new Map([['Patient/p1', patient]]) }
const page = { number: 0, size: 20, totalElements: 1, totalPages: 1 }
const changed = { record, nameOf: () => payload, isSayable: true }
const fields = [{ path: 'types', message: payload }]

const pages: readonly (readonly [string, VNode])[] = [
  ['the start', <StartPage model={{ ...frame, search: payload, found: [patient], hasMore: true }} />],
  ['a patient', <PatientPage model={{ ...frame, ...named, patient, done: { what: 'kept', id: 1 } }} />],
  ['the own consents', <OwnPage model={{ ...frame, ...named, ...english, visitor: visitorWith('PATIENT') }} />],
  ['the form', <FormPage model={{ ...frame, patient, values, fields, facilities }} />],
  ['the form of a change', <FormPage model={{ ...frame, patient, values, fields, facilities, changed }} />],
  [
    'the preview of a change',
    <PreviewPage model={{ ...frame, ...named, patient, changed, values, terms: record, preview, isStale: true }} />,
  ],
  ['a preview', <PreviewPage model={{ ...frame, ...named, patient, values, terms: record, preview, isStale: true }} />],
  [
    'a revocation',
    <RevokePage model={{ ...frame, ...named, patient, record, preview, reason: payload, isStale: true }} />,
  ],
  ['an answer', <AskPage model={{ ...frame, ...asked, answer, resourceTypes }} />],
  [
    'the log',
    <LogPage model={{ ...frame, ...log, events: [event], about: payload, kind: 'looks', older: '/admin' }} />,
  ],
  ['the records', <RecordsPage model={{ ...frame, ...named, ...listed, page }} />],
]

it.each(pages)('%s shows markup that somebody wrote as text, and stays small', (_which, shown) => {
  const markup = renderPage(shown)
  expect(markup).toContain('&lt;script>alert(1)')
  expect(markup).not.toContain('<script>alert(1)')
  expect(markup.length).toBeLessThan(80_000)
})

it('shows a patient what counts before what has counted', () => {
  const records = [
    recordWith({ id: 3, periodEnd: '2025-01-01' }),
    recordWith({ id: 2 }),
    recordWith({ id: 1, status: 'inactive' }),
  ]
  const html = renderPage(<OwnPage model={{ ...frame, ...named, ...english, records }} />)
  expect([...html.matchAll(/id="consent-(\d)"/g)].map(([, id]) => id)).toEqual(['2', '3', '1'])
})

it('ties what is wrong with the kinds to them, and leads there', () => {
  const html = renderPage(<FormPage model={{ ...frame, patient, values, fields, facilities }} />)
  expect(html).toContain('<fieldset class="choices only-some" aria-describedby="types-error">')
  expect(html).toContain('<p class="error" id="types-error">')
  expect(html.match(/name="types"[^>]* aria-invalid="true" aria-describedby="types-error"/g)).toHaveLength(1)
  // By the name that the form has for them.
  expect(html).toMatch(/role="alert".*<a href="#field-types">The kinds<\/a>: .*id="field-types" name="types"/)
  expect(renderPage(<FormPage model={{ ...frame, patient, values, fields: [], facilities }} />)).not.toMatch(
    /types-error/,
  )
})

it('asks again for a device that can be none, with the rest of the question still there', () => {
  const model = { ...frame, ...asked, resourceTypes }
  const html = renderPage(<AskPage model={{ ...model, isDeviceWrong: true }} />)
  expect(html).toMatch(/<input id="field-device"[^>]* aria-invalid="true" aria-describedby="[^"]*field-device-error"/)
  expect(html).toContain('or the id of an app; neither has spaces')
  expect(renderPage(<AskPage model={model} />)).not.toContain('aria-invalid')
})

it.each([
  [
    'nobody is searched for',
    <StartPage model={{ ...frame, search: '', found: [], hasMore: false }} />,
    'Find the patient by name, birth date or number',
  ],
  ['nobody is found', <StartPage model={{ ...frame, search: 'x', found: [], hasMore: false }} />, 'Nobody was found'],
  [
    'nothing is recorded',
    <PatientPage model={{ ...frame, ...named, patient, records: [] }} />,
    'Nothing is recorded for this patient',
  ],
  [
    'a patient has said nothing',
    <OwnPage model={{ ...frame, ...named, ...english, records: [] }} />,
    'You have not agreed to anything yet',
  ],
  [
    'nothing would change',
    <PreviewPage
      model={{
        ...frame,
        ...named,
        patient,
        values,
        terms: record,
        preview: { ...preview, days: [], isPartial: false },
        isStale: false,
      }}
    />,
    'No answer turns round',
  ],
  [
    'not everything was compared',
    <RevokePage
      model={{ ...frame, ...named, patient, record, preview: { ...preview, days: [] }, reason: '', isStale: false }}
    />,
    'More may change than is shown here',
  ],
  [
    'the form has no words for what a record says',
    <FormPage model={{ ...frame, patient, values, fields, facilities, changed: { ...changed, isSayable: false } }} />,
    'revoke it and record a new one',
  ],
  [
    'a consent is revoked already',
    <RevokePage
      model={{
        ...frame,
        ...named,
        patient,
        record: { ...record, status: 'inactive' },
        preview,
        reason: '',
        isStale: false,
      }}
    />,
    'This consent is revoked already',
  ],
  [
    'there is no facility',
    <AskPage model={{ ...frame, ...asked, facilities: [], resourceTypes }} />,
    'There is no facility to ask about',
  ],
  [
    'nothing has happened',
    <LogPage model={{ ...frame, ...log, ...empty, kind: undefined }} />,
    'Nothing has happened yet',
  ],
  [
    'nobody has asked',
    <LogPage model={{ ...frame, ...log, ...empty, kind: 'decisions' }} />,
    'Nobody has asked anything',
  ],
  [
    'nobody has changed a consent',
    <LogPage model={{ ...frame, ...log, ...empty, kind: 'changes' }} />,
    'Nobody has changed a consent yet',
  ],
  [
    'nobody has looked',
    <LogPage model={{ ...frame, ...log, ...empty, kind: 'looks' }} />,
    'Nobody has looked at consents yet',
  ],
  [
    'there is nothing by a caller, which says nothing of a patient who is called the same',
    <LogPage model={{ ...frame, ...log, ...empty, about: 'p1', kind: undefined }} />,
    '>Nothing by a caller of this name</p><p>What was asked about a patient is found by Patient/ and their id',
  ],
  [
    'there is nothing about a patient',
    <LogPage model={{ ...frame, ...log, ...empty, about: 'Patient/p1', kind: undefined }} />,
    '>Nothing about this patient</p>',
  ],
  [
    'there is nothing of one kind about a patient',
    <LogPage model={{ ...frame, ...log, ...empty, about: 'Patient/p1', kind: 'looks' }} />,
    '>Nothing about this patient</p><p>All shows the other rows, too.',
  ],
  [
    'an organisation has no records',
    <RecordsPage model={{ ...frame, ...named, ...listed, records: [], page }} />,
    'This organisation has recorded nothing',
  ],
])('says so when %s', (_when, shown, words) => {
  expect(renderPage(shown)).toContain(words)
})

it('turns the pages of the records in the steps that were asked for', () => {
  const inFives = { number: 1, size: 5, totalElements: 11, totalPages: 3 }
  const markup = renderPage(
    <RecordsPage model={{ ...frame, ...named, ...listed, organisation: 'Organization/a', page: inFives }} />,
  )
  for (const number of [0, 2]) expect(markup).toContain(`?organisation=Organization%2Fa&amp;page=${number}&amp;size=5"`)
})

it('says how many alerts there are, however few of them it lists', () => {
  const markup = renderPage(
    <LogPage model={{ ...frame, ...log, events: [], about: '', kind: undefined, older: undefined }} />,
  )
  expect(markup).toContain('12,345')
})

it('names all five checks where there was no record to check', () => {
  const none = explain([], question, today)
  const without = { ...answer, ...none, decision: { ...decision, ...none.decision } }
  const markup = renderPage(<AskPage model={{ ...frame, ...asked, answer: without, resourceTypes }} />)
  for (const check of ['Provision type', 'Resource class', 'Operation', 'Status', 'Period']) {
    expect(markup).toContain(check)
  }
})

it('shows a permit for other purposes with its checks where no record speaks for the one asked about', () => {
  const none = explain([recordWith({ id: 7, purposes: ['HRESCH'] })], question, today)
  const without = { ...answer, ...none, decision: { ...decision, ...none.decision } }
  const markup = renderPage(<AskPage model={{ ...frame, ...asked, answer: without, resourceTypes }} />)
  for (const words of [
    'Consent 7 is for other purposes.',
    'What came closest',
    '5 of 6 checks fit',
    'Is it for this purpose?',
    'It is for research.',
    'purpose of use TREAT not among HRESCH',
    'If consent record 7 (permit) were for any purpose.',
  ]) {
    expect(markup).toContain(words)
  }
  expect(markup).not.toContain('no record')
})

it('tells a patient which no stands against a yes, and that one counts from its first day only', () => {
  const shown = (given: Partial<ConsentRecord>) => {
    const against = () => [
      { id: 7, patientId: 'Patient/p1' },
      { id: 8, patientId: null },
    ]
    return renderPage(<OwnPage model={{ ...frame, ...named, ...english, records: [recordWith(given)], against }} />)
  }
  expect(shown({})).toContain('your no counts more: <a href="#consent-7">number 7</a>')
  expect(shown({})).toContain('A rule of the exchange says no to some of it.')
  for (const given of [{ provisionType: 'deny' }, { status: 'inactive' }] as const) {
    expect(shown(given)).not.toContain('#consent-7')
  }
  expect(shown({ periodStart: '2027-01-01' })).toContain('It does not count before its first day')
  expect(shown({ periodStart: '2025-01-01' })).not.toContain('before its first day')
})

it('counts days where the exchange is: what was recorded there in the evening is of that day', () => {
  const evening = { createdAt: new Date('2026-03-05T02:00:00Z'), periodStart: null }
  const records = [recordWith({ id: 1, ...evening })]
  expect(renderPage(<OwnPage model={{ ...frame, ...named, ...english, records }} />)).toContain('datetime="2026-03-04"')
  expect(renderPage(<PatientPage model={{ ...frame, ...named, patient, records }} />)).toMatch(
    /bars run from <time[^>]*datetime="2026-03-04"/i,
  )
})

const patientPage = (changes: Partial<ConsentRecord>, what: 'kept' | 'changed' | 'revoked' = 'kept', id = 1) => {
  const records = [recordWith({ id: 1, ...changes })]
  return renderPage(<PatientPage model={{ ...frame, ...named, patient, records, done: { what, id } }} />)
}

it.each([
  ['that counts', {}, 'kept', 'It counts from now on.'],
  ['that begins later', { periodStart: '2027-06-01' }, 'kept', 'It counts from 1 Jun 2027 on.'],
  ['that begins later', { periodStart: '2027-06-01' }, 'changed', 'What it says now counts from 1 Jun 2027 on.'],
  ['that is over', { periodEnd: '2025-06-01' }, 'kept', 'Its period is over: it does not count.'],
  ['that was revoked', { status: 'inactive' }, 'revoked', 'It no longer counts.'],
] as const)('says of a consent %s %j, when it is %s: %s', (_what, changes, what, words) => {
  expect(patientPage(changes, what)).toContain(words)
})

it.each([
  ['is another patient’s', patientPage({}, 'kept', 51)],
  ['is not revoked', patientPage({}, 'revoked')],
  ['was revoked', patientPage({ status: 'inactive' }, 'kept')],
])('says nothing of a consent that an address names and that %s', (_what, markup) => {
  expect(markup).not.toMatch(/Consent \d+ is (kept|revoked)\./)
})

it.each([
  [['a', 'b'], 0, 'a, b'],
  [['a', 'b', null], 0, 'a, b and everybody else'],
  [['a', 'b'], 3, 'a, b and 3 more'],
  [['a', 'b', null], 3, 'a, b, 3 more and everybody else'],
  [[null], 0, 'Everybody'],
])('says of %j and %i more that it is %s', (actors, more, said) => {
  const html = renderPage(<ChangesView changes={[{ ...change, actors, more }]} nameOf={(actor) => actor ?? ''} />)
  expect(html.replaceAll(/<[^>]*>/g, '')).toContain(`${said} will be able to`)
})

it('says that nobody may what everybody may not', () => {
  expect(patientPage({ provisionType: 'deny' })).toContain(
    '<strong>Nobody may</strong> read or write anything in the record',
  )
  expect(patientPage({})).toContain('Everybody <strong>may</strong> read and write everything in the record')
})

it.each([
  ['a patient', (shown: ConsentRecord) => <PatientPage model={{ ...frame, ...named, patient, records: [shown] }} />],
  [
    'the preview',
    (shown: ConsentRecord) => (
      <PreviewPage model={{ ...frame, ...named, patient, values, terms: shown, preview, isStale: false }} />
    ),
  ],
  [
    'the revocation',
    (shown: ConsentRecord) => (
      <RevokePage model={{ ...frame, ...named, patient, record: shown, preview, reason: '', isStale: false }} />
    ),
  ],
])('the page of %s says what a consent rests on and what was written about it', (_which, pageOf) => {
  const written = { regulatoryBasis: 'Act 7', note: 'By phone\nRevoked 2026-03-04T05:06:07Z by s: moved away' }
  const html = renderPage(pageOf({ ...record, ...written }))
  expect(html).toContain('<dt>Legal basis</dt><dd><bdi>Act 7</bdi></dd>')
  expect(html).toContain(`<dt>Note</dt><dd><bdi class="preserve-lines">${written.note}</bdi></dd>`)
  expect(renderPage(pageOf({ ...record, regulatoryBasis: null, note: null }))).not.toMatch(/<dt>(?:Legal basis|Note)/)
})

it.each<[readonly string[] | 'all', string]>([
  ['all', 'read everything in the record for research'],
  [Object.keys(typeWords), 'allergies and 3 more kinds for research'],
  [['Observation', furtherTypes], 'read results and vital signs and every kind that no consent names for research'],
  [[furtherTypes], 'read every kind that no consent names for research'],
])('a preview that turns round %j says so', (types, said) => {
  const changes = [{ ...change, types, actors: ['Organization/central'], purposes: ['HRESCH'] }]
  expect(renderPage(<ChangesView changes={changes} nameOf={() => 'Central'} />)).toContain(said)
})

it.each<[readonly string[] | 'all', string]>([
  ['all', 'for any purpose.'],
  [
    Object.keys(purposeWords),
    'for treatment, emergencies, research, public health, payment, running the service and breaking the glass.',
  ],
  [['HRESCH', furtherPurposes], 'for research and every purpose that no consent names.'],
  [[furtherPurposes], 'for every purpose that no consent names.'],
])('a preview that turns round the purposes %j says so', (purposes, said) => {
  const changes = [{ ...change, purposes, actors: ['Organization/central'] }]
  expect(renderPage(<ChangesView changes={changes} nameOf={() => 'Central'} />)).toContain(said)
})

it('the log names nobody as the one who did it where a practitioner and a patient have the same id', () => {
  const people: Readonly<Record<string, string>> = {
    ...{
      'Practitioner/7': 'Dr Seven',
      'Patient/7': 'Baby Seven',
      'Practitioner/8': 'Dr Eight',
      'Patient/9': 'Nina Nine',
    },
  }
  const by = (subject: string) => ({ ...event, subject, patientId: null, actorReferences: [] })
  const model = { ...frame, ...log, ...empty, events: ['7', '8', '9'].map(by), kind: undefined }
  const markup = renderPage(
    <LogPage model={{ ...model, nameOf: (reference) => people[reference ?? ''] ?? reference ?? '–' }} />,
  )
  const isShown = (name: string) => markup.includes(`>${name}</`)
  expect(['Dr Seven', 'Baby Seven', '7', 'Dr Eight', 'Nina Nine'].map(isShown)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
})
