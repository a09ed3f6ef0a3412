import type { VNode } from 'preact'
import { describe, expect, it } from 'vitest'
import type { Role } from '../../../packages/tokens/caller.ts'
import { renderFragment, renderPage } from '../../../packages/views/render.ts'
import type { GateCheck } from '../consent-gate.ts'
import { attentions, type CountedReferral, type ReferralEvent, type ReferralTask } from '../referral.ts'
import { referralStatuses, taskStatuses } from '../transitions.ts'
import { emptyDraft } from './draft-form.ts'
import { DraftPage, type DraftModel } from './draft-page.tsx'
import { FindPage } from './find-page.tsx'
import { GateView } from './gate-view.tsx'
import { ListPage, type ReferralRow } from './list-page.tsx'
import { ReferralPage, type ReferralModel } from './referral-page.tsx'
import { latinIn } from '../../../packages/views/words/testing/latin-in.ts'
import { languages, type Language } from '../../../packages/views/words/languages.ts'
import { inLanguage } from '../../../packages/views/words/language-links.tsx'
import { english, wordsOf } from '../words/words.ts'

const payload = '"><script>alert(1)</script>'
const at = new Date('2026-03-04T10:15:00Z')

const frameFor = (role: Role) => ({
  visitor: {
    name: payload,
    caller: {
      ...{ subject: 's', clientId: 'c', roles: new Set([role]), scope: '', organisation: undefined, tokenId: 't' },
      ...{ patient: undefined, encounter: undefined, fhirUser: undefined, grantId: undefined, expiresAt: at },
    },
  },
  addresses: { referral: '', consent: 'http://consent' },
  assetUrl: (name: string) => `/${name}`,
})
const frame = frameFor('CLINICIAN')
const namedAs = (fhirUser: string) => ({ ...frame.visitor, caller: { ...frame.visitor.caller, fhirUser } })
const patient = { id: 'p1', name: payload, birthDate: payload, age: payload, sex: payload, identifiers: [] }
const referral: CountedReferral = {
  ...{ id: 7, status: 'DRAFT', statusReason: payload, consentVerified: false, authoredOn: null, attention: null },
  ...{ createdBy: 's', sendingOrganisation: payload, sendingClientId: 'c', createdAt: at, updatedAt: at, heldAt: null },
  ...{ version: 1, openTasks: 0, patientId: 'Patient/p1', requesterId: payload, receivingFacilityClientId: payload },
  ...{ performerId: null, referralCode: null, referralDisplay: payload, priority: 'STAT', reasonCodes: [payload] },
  ...{ clinicalNote: payload, sharedResourceTypes: [payload], supportingInfo: [], occurrenceDate: '2026-03-05' },
}
const task: ReferralTask = {
  ...{ id: 1, referralId: 7, status: 'REQUESTED', receivingFacilityClientId: payload, performerId: null },
  ...{ note: payload, rejectionReason: payload, acceptBy: at, overdueAt: at, createdAt: at, updatedAt: at, version: 1 },
}
const step: ReferralEvent = {
  ...{ at, action: payload, taskId: null, from: null, to: payload, reason: payload, note: payload },
  ...{ actor: payload, actorOrganisation: payload, requestId: null, decisions: [] },
}
const check: GateCheck = {
  ...{ resourceType: 'Observation', outcome: 'REFUSED', reason: payload, consentRecordId: 5, decisionId: null },
}
const facilities = [{ value: payload, label: payload }]
const row: ReferralRow = { referral, patient, from: payload, to: payload, openTask: task }
const shownAs = (changes: Partial<ReferralModel> = {}) => (
  <ReferralPage
    model={{
      ...{
        ...frame,
        referral,
        patient,
        nameOf: () => payload,
        nameOfReceiver: () => payload,
        facilities,
        history: [step],
        actions: ['send'],
      },
      ...{
        tasks: [{ task, moves: ['RECEIVED', 'REJECTED'] }],
        gate: { passes: false, checks: [check], documents: [] },
        ...changes,
      },
    }}
  />
)

const values = emptyDraft('Patient/p1')
const drafted = (changes: Partial<DraftModel> = {}) => (
  <DraftPage model={{ ...frame, patient, values, fields: [], facilities, ...changes }} />
)

const pages: readonly (readonly [string, VNode])[] = [
  ['the inbox', <ListPage model={{ ...frame, here: 'inbox', rows: [row] }} />],
  ['the own referrals', <ListPage model={{ ...frameFor('PATIENT'), here: 'own', rows: [row] }} />],
  ['the search', <FindPage model={{ ...frame, search: payload, found: [patient], hasMore: true }} />],
  ['the form', drafted({ values: { ...values, referralDisplay: payload, clinicalNote: payload } })],
  ['the form with something wrong', drafted({ fields: [{ path: 'reasonCodes', message: payload }] })],
  [
    'a draft that is changed',
    drafted({ values: { ...values, clinicalNote: payload }, changed: { id: 7, version: payload } }),
  ],
  ['a referral', shownAs({ actions: ['send', 'hold', 'resume', 'revoke', 'reroute', 'change'] })],
]

it.each(pages)('%s shows markup that somebody wrote as text, and stays small', (_which, shown) => {
  const markup = renderPage(shown)
  expect(markup).toContain('&lt;script>alert(1)')
  expect(markup).not.toContain('<script>alert(1)')
  expect(markup.length).toBeLessThan(80_000)
})

it.each([
  ['nothing waits', <ListPage model={{ ...frame, here: 'inbox', rows: [] }} />, 'Nothing waits for your facility'],
  ['nobody was referred', <ListPage model={{ ...frame, here: 'mine', rows: [] }} />, 'You have not referred anybody'],
  ['a patient has none', <ListPage model={{ ...frame, here: 'own', rows: [] }} />, 'There are no referrals for you'],
  ['nobody is found', <FindPage model={{ ...frame, search: 'x', found: [], hasMore: false }} />, 'Nobody was found'],
  ['there is no facility', drafted({ facilities: [] }), 'There is no facility to refer to'],
  [
    'an account is of nobody who practises',
    drafted({ visitor: namedAs('Person/p1') }),
    'Your account is of nobody who can ask for a referral',
  ],
  ['a task is overdue', shownAs(), 'Overdue'],
])('says so when %s', (_when, shown, words) => {
  expect(renderPage(shown)).toContain(words)
})

describe('a list', () => {
  const identifiers = ['MRN-17', 'N-1'].map((value) => ({ label: 'Record no.', value }))
  const known = { ...patient, name: 'Amina Diallo', birthDate: '1988-07-09', age: '37 years', identifiers }
  const listed = (changes: Partial<ReferralRow>) =>
    renderPage(<ListPage model={{ ...frame, here: 'inbox', rows: [{ ...row, ...changes }] }} />)

  it('tells a patient from their namesakes', () => {
    expect(listed({ patient: known })).toMatch(
      /Amina Diallo<.*>9 Jul 1988<.*37 years.*Record no. <bdi>MRN-17<\/bdi><\/p>/,
    )
  })

  it('names by their reference whom the reader may not see', () => {
    expect(listed({ patient: undefined })).toContain('>Patient/p1<')
  })

  it.each([
    ['ACTIVE', { ...task, status: 'INPROGRESS' }, 'In progress'],
    ['ACTIVE', undefined, 'Sent'],
    ['ONHOLD', { ...task, status: 'INPROGRESS' }, 'On hold'],
  ] as const)('says where what is %s stands', (status, openTask, words) => {
    const html = listed({ referral: { ...referral, status }, openTask })
    expect(html.match(/class="pill [^>]*>([^<]*)</g)?.at(-1)).toContain(words)
    expect(html).not.toContain('accept until')
  })

  it('says until when work is to be accepted that nobody has accepted yet', () => {
    const html = listed({ referral: { ...referral, status: 'ACTIVE' } })
    expect(html).toMatch(/Not yet seen<.*accept until <time[^>]*"2026-03-04T10:15:00.000Z"/)
  })

  it('has all referrals of one patient, from whom and to whom, below their banner', () => {
    const model = { ...frame, here: 'patient', rows: [row], patient: { id: 'p1', name: 'Amina Diallo' } } as const
    const html = renderPage(<ListPage model={model} />)
    expect(html).toMatch(/class="patient-banner"[^]*Amina Diallo[^]*href="http:\/\/consent\/patients\/p1"/)
    expect(html).toContain('href="/new?patient=p1"')
    expect([...html.matchAll(/<th [^>]*>([^<]*)</g)].map(([, heading]) => heading)).toEqual([
      ...['Referral', 'From', 'To', 'Priority', 'Status', 'Since'],
    ])
  })
})

describe('the pages of a patient', () => {
  const named = { ...referral, referralDisplay: null, sharedResourceTypes: ['Observation', 'Encounter'] }
  const actions = ['create', 'change', 'send', 'hold', 'resume', 'revoke', 'reroute', 'merge', 'complete', 'overdue']
  const history = [
    ...actions.map((action) => ({ ...step, action, to: 'ACTIVE' })),
    ...taskStatuses.map((to) => ({ ...step, action: 'task', to })),
  ]
  const work = taskStatuses.map((status) => ({ task: { ...task, status }, moves: [] }))
  const pagesIn = (language: Language) => {
    const words = wordsOf(language)
    const own = { ...frameFor('PATIENT'), reader: { words, layout: inLanguage(words) } }
    return [
      <ListPage model={{ ...own, here: 'own', rows: [] }} />,
      ...attentions.map((attention) => (
        <ListPage model={{ ...own, here: 'own', rows: [{ ...row, referral: { ...named, attention } }] }} />
      )),
      ...referralStatuses.map((status) => {
        const shown = {
          referral: { ...named, status },
          patient,
          nameOf: () => payload,
          nameOfReceiver: () => payload,
          tasks: work,
          history,
        }
        return <ReferralPage model={{ ...own, ...shown, facilities: [], actions: [] }} />
      }),
    ].map(renderPage)
  }

  it('leave nothing in English that they say of their own accord', () => {
    expect(pagesIn('ar').flatMap(latinIn)).toEqual([])
  })

  it('say in no English words what happened by itself', () => {
    const reason = 'Patient/a was merged into Patient/b'
    const merged = { ...step, actor: 'system', actorOrganisation: null, action: 'merge', note: null, reason }
    const words = wordsOf('ar')
    const reader = { words, layout: inLanguage(words) }
    const own = renderPage(shownAs({ ...frameFor('PATIENT'), reader, history: [merged] }))
    for (const said of [reason, '>system<']) expect(own).not.toContain(said)
    expect(own).toContain('<bdi>Corridor</bdi>')
    expect(renderPage(shownAs({ history: [merged] }))).toContain(reason)
  })

  it.each(languages)('are in %s, dates included', (language) => {
    for (const html of pagesIn(language)) expect(html).toContain(`<html lang="${language}"`)
    const { text, day } = wordsOf(language)
    const [one = ''] = pagesIn(language).slice(-1)
    for (const said of [text('whatHappened'), text('task_INPROGRESS'), day('2026-03-05')]) expect(one).toContain(said)
  })
})

describe('a referral', () => {
  it('keeps the steps of the other facility one step away from who may take them in its place', () => {
    const html = renderPage(
      shownAs({
        ...{ actions: ['resume'], actionsInstead: ['revoke'], nameOf: (reference) => `the ${reference}` },
        tasks: [{ task, moves: ['CANCELLED'], movesInstead: ['RECEIVED'] }],
      }),
    )
    const [, ...folded] = html.split('<details class="stack tight"><summary>In place of ')
    expect(folded).toHaveLength(2)
    const buttons = folded.map((part) => /<button[^>]*>([^<]*)</.exec(part.split('</details>')[0] ?? '')?.[1])
    expect(buttons).toEqual(['Mark as received', 'Revoke'])
    expect(html.indexOf('>Cancel the work<')).toBeLessThan(html.indexOf('In place of'))
  })

  it('names the documents that go along, and does not say that nothing does', () => {
    const supportingInfo = ['DocumentReference/letter-1', 'https://elsewhere.example/scan/2']
    const asked = { ...referral, sharedResourceTypes: [], supportingInfo }
    const html = renderPage(shownAs({ referral: asked }))
    for (const reference of supportingInfo) expect(html).toContain(`<bdi>${reference}</bdi>`)
    expect(html).not.toContain(english.text('sharesNothing'))
    expect(renderPage(shownAs({ referral: { ...asked, supportingInfo: [] } }))).toContain(english.text('sharesNothing'))
  })

  it('says whose it is also where the record of the patient cannot be seen', () => {
    expect(renderPage(shownAs({ patient: undefined }))).toMatch(/class="patient-banner"[^]*?Patient\/p1/)
  })

  it.each(attentions)('that wants attention says why: %s', (attention) => {
    expect(renderPage(shownAs({ referral: { ...referral, attention } }))).toContain(
      english.text(`attention_${attention}`),
    )
    const rows = [{ ...row, referral: { ...referral, attention } }]
    expect(renderPage(<ListPage model={{ ...frame, here: 'inbox', rows }} />)).toContain(
      english.text(`attention_${attention}`),
    )
  })

  it('is new in an inbox while nobody has looked at it, and not while it is on hold', () => {
    const inboxWith = (status: CountedReferral['status']) =>
      renderPage(
        <ListPage model={{ ...frame, here: 'inbox', rows: [{ ...row, referral: { ...referral, status } }] }} />,
      )
    expect(inboxWith('ACTIVE')).toContain('Not yet seen')
    expect(inboxWith('ONHOLD')).not.toContain('Not yet seen')
    expect(inboxWith('ONHOLD')).toContain('On hold')
  })

  it.each(taskStatuses)('says where the work stands: %s', (status) => {
    const html = renderPage(shownAs({ tasks: [{ task: { ...task, status }, moves: [] }] }))
    expect(html).toContain(english.text(`task_${status}`))
  })

  it.each([
    ['TASK_REJECTED', 'REJECTED', 'no beds'],
    ['TASK_FAILED', 'FAILED', 'gone home'],
    ['TASK_CANCELLED', 'CANCELLED', 'gone home'],
  ] as const)(
    'that wants attention by %s says why in the words of whoever ended the work',
    (attention, status, why) => {
      const ended = { ...task, status, rejectionReason: 'no beds', note: 'gone home' }
      const held = { ...referral, attention, status: 'ONHOLD', statusReason: 'holiday' } as const
      const html = renderPage(shownAs({ referral: held, tasks: [{ task: ended, moves: [] }] }))
      const alert = html.slice(html.indexOf(english.text(`attention_${attention}`)))
      expect(alert.slice(0, alert.indexOf('</bdi>'))).toContain(why)
      expect(html).toMatch(/On hold because.*holiday.*/s)
    },
  )

  it('tells no reason of an earlier hold once it is over', () => {
    expect(renderPage(shownAs({ referral: { ...referral, status: 'ACTIVE', statusReason: 'holiday' } }))).not.toContain(
      'holiday',
    )
  })

  it('asks for a reason before the work is cancelled: there is no way back', () => {
    const html = renderPage(shownAs({ tasks: [{ task, moves: ['CANCELLED'] }] }))
    expect(html).toContain('data-opens="task-1-cancelled"')
    expect(html).toMatch(/<textarea id="task-1-cancelled-said" name="note" required/)
    expect(html).toContain('cannot be taken up again')
  })

  it('goes to nobody whom nobody chose, neither at first nor again', () => {
    const open = /<select[^>]* name="receivingFacilityClientId" required[^>]*><option value>Choose…<\/option>/g
    expect(renderPage(drafted()).match(open)).toHaveLength(1)
    // In the dialog, and without scripts.
    expect(renderPage(shownAs({ actions: ['reroute'] })).match(open)).toHaveLength(2)
  })

  it('offers to ask another facility where there is one', () => {
    expect(renderPage(shownAs({ actions: ['reroute'] }))).toContain('Ask another facility')
    expect(renderPage(shownAs({ actions: ['reroute'], facilities: [] }))).not.toContain('Ask another facility')
  })

  it.each([
    ['send', { action: 'send', to: 'ACTIVE' }, 'The referral is sent.'],
    ['ACCEPTED', { action: 'task', to: 'ACCEPTED' }, 'The work is accepted.'],
  ] as const)('tells whoever has taken the step %s at once, if it was taken', (done, event, words) => {
    const said = new RegExp(`role="alert".*${words}`, 's')
    expect(renderPage(shownAs({ done, history: [{ ...step, ...event }] }))).toMatch(said)
    expect(renderPage(shownAs({ done, history: [step] })), 'an address says nothing').not.toContain(words)
  })

  it('tells of a step with what came of it, and no longer once another was taken', () => {
    const held = { ...step, action: 'hold', to: 'ONHOLD', requestId: 'one' }
    const paused = { ...step, action: 'task', to: 'ONHOLD', requestId: 'one' }
    const resumed = { ...step, action: 'resume', to: 'ACTIVE', requestId: 'two' }
    const shown = (...history: ReferralEvent[]) => renderPage(shownAs({ done: 'hold', history }))
    expect(shown(step, held, paused)).toContain('The referral is on hold.')
    expect(shown(step, held, paused, resumed)).not.toContain('The referral is on hold.')
  })

  it('says so when a step came too late', () => {
    const late = renderPage(shownAs({ notTaken: { is: 'late', wrote: null } }))
    expect(late).toContain('your step was not taken')
    expect(late).not.toContain('What you wrote')
    expect(renderPage(shownAs())).not.toContain('your step was not taken')
  })

  it('gives back what was written for a step that came too late', () => {
    const html = renderPage(shownAs({ notTaken: { is: 'late', wrote: 'Seen twice;\nall is well.' } }))
    expect(html).toContain(
      '<blockquote class="code-block"><bdi class="preserve-lines">Seen twice;\nall is well.</bdi></blockquote>',
    )
  })

  it('says in words what the gate refused, also of a facility that was asked in vain', () => {
    const gate = { passes: false, checks: [check], documents: [] }
    const html = renderPage(
      shownAs({
        ...{ actions: ['reroute'], nameOfReceiver: ({ performerId }) => `name of ${performerId}` },
        notTaken: { is: 'refused', asked: { gate, receiver: { ...referral, performerId: 'Organization/hill' } } },
      }),
    )
    expect(html).toContain('Nothing was sent to <bdi>name of Organization/hill</bdi>')
    expect(html).toContain('Results and vital signs')
    expect(html).toContain('http://consent/patients/p1')
    expect(html).toContain('Ask another facility')
  })

  it('gives every field of its own an id of its own, with scripts and without', () => {
    const html = renderPage(
      shownAs({
        actions: ['hold', 'revoke', 'reroute'],
        tasks: [{ task, moves: ['REJECTED', 'CANCELLED', 'COMPLETED', 'FAILED'] }],
      }),
    )
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const labelled = [...html.matchAll(/ for="([^"]*)"/g)].map(([, id]) => id)
    expect(labelled).not.toEqual([])
    expect(ids).toEqual(expect.arrayContaining(labelled))
  })

  it('can be moved without scripts: each step that asks for something has its form folded up', () => {
    const html = renderPage(
      shownAs({
        actions: ['hold', 'revoke', 'reroute'],
        tasks: [{ task, moves: ['REJECTED', 'CANCELLED', 'COMPLETED', 'FAILED'] }],
      }),
    )
    const plain = [...html.matchAll(/<noscript>(.*?)<\/noscript>/gs)].map(([, inside]) => inside ?? '')
    expect(
      plain.filter((inside) => /<details.*<form method="post"[^>]* action="\/referrals\/7\//s.test(inside)),
    ).toHaveLength(7)
  })

  it('is sent with the version that was seen', () => {
    const html = renderPage(shownAs({ referral: { ...referral, version: 3 } }))
    expect(html).toMatch(/action="\/referrals\/7\/send"><input[^>]*><input type="hidden" name="version" value="3"/)
  })

  it.each([
    ['resume', 1],
    // In the dialog, and without scripts.
    ['hold', 2],
    ['revoke', 2],
    ['reroute', 2],
  ] as const)('takes the step %s from the version that was seen', (action, forms) => {
    const html = renderPage(shownAs({ actions: [action], referral: { ...referral, version: 3 } }))
    const seen = new RegExp(
      `action="/referrals/7/${action}"><input[^>]*><input type="hidden" name="version" value="3"`,
      'g',
    )
    expect(html.match(seen)).toHaveLength(forms)
  })

  it.each([
    ['RECEIVED', 1],
    ['CANCELLED', 2],
  ] as const)('takes the work on to %s from the version that was seen', (move, forms) => {
    const html = renderPage(shownAs({ tasks: [{ task: { ...task, version: 3 }, moves: [move] }] }))
    const seen = new RegExp(`name="status" value="${move}"/?><input type="hidden" name="version" value="3"`, 'g')
    expect(html.match(seen)).toHaveLength(forms)
  })

  it('has a button for each allowed step and for no other', () => {
    const html = renderPage(shownAs({ actions: ['hold'], tasks: [{ task, moves: ['RECEIVED'] }] }))
    expect(html).toContain('Put on hold')
    expect(html).toContain('Mark as received')
    for (const other of ['/revoke', '/send', '/resume', '/reroute', '>Accept<', '>Reject<']) {
      expect(html).not.toContain(other)
    }
  })
})

describe('a draft that is changed', () => {
  const changed = { id: 7, version: '3' }

  it('goes back to where it is kept, with the version that was seen', () => {
    const html = renderPage(drafted({ changed }))
    expect(html).toContain('action="/referrals/7/change"')
    expect(html).toContain('<input type="hidden" name="version" value="3"')
    expect(html).toContain('Change the draft')
    expect(renderPage(shownAs({ actions: ['change'] }))).toContain('href="/referrals/7/change"')
    expect(renderPage(shownAs({ actions: [] }))).not.toContain('/change')
  })

  it('keeps what the form has no words for', () => {
    const shared = { ...values, sharedResourceTypes: ['Observation', 'Specimen'] }
    const html = renderPage(drafted({ changed, values: shared }))
    expect(html).toMatch(/value="Specimen" checked[^>]*> Specimen/)
    expect(html).toMatch(/value="Observation" checked[^>]*> Results and vital signs/)
  })
})

describe('what the consent gate would say', () => {
  const said = (outcome: GateCheck['outcome']) =>
    renderFragment(
      <GateView
        gate={{ passes: outcome === 'PERMITTED', checks: [{ ...check, outcome }], documents: [] }}
        to="Lakeside"
        consentsAt="http://consent/patients/p1"
      />,
    )

  it.each([
    ['PERMITTED', 'Permitted'],
    ['REFUSED', 'Refused'],
    ['UNVERIFIED', 'No answer'],
  ] as const)('is told for each kind: %s', (outcome, words) => {
    expect(said(outcome)).toContain(words)
  })

  it('leads to the consents where something stands in the way, and nowhere else', () => {
    expect(said('REFUSED')).toContain('http://consent/patients/p1')
    expect(said('PERMITTED')).not.toContain('http://consent/patients/p1')
  })

  it('names the documents that are not of the patient, and leads to no consents for them', () => {
    const documents = [
      { reference: 'DocumentReference/a', outcome: 'PERMITTED' },
      { reference: 'DocumentReference/b', outcome: 'REFUSED' },
      { reference: 'DocumentReference/c', outcome: 'UNVERIFIED' },
    ] as const
    const html = renderFragment(
      <GateView
        gate={{ passes: false, checks: [], documents }}
        to="Lakeside"
        consentsAt="http://consent/patients/p1"
      />,
    )
    expect(html).toContain('<bdi>DocumentReference/b</bdi>: not of this patient')
    expect(html).toContain('<bdi>DocumentReference/c</bdi>: whose it is could not be verified')
    expect(html).not.toMatch(/DocumentReference\/a|http:/)
  })

  it('is not needed where nothing is shared', () => {
    expect(renderFragment(<GateView gate={{ passes: true, checks: [], documents: [] }} to="Lakeside" />)).toContain(
      'no consent is needed',
    )
  })
})
