import { decodeJwt, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { AuditEvent } from '../../../ports/fhir-store/resources.ts'
import { auditedEvents } from './audit.ts'
import { auditWork } from '../cli/audit-work.ts'
import { rotateKeys } from '../cli/keys.ts'
import { disableUser } from '../cli/users.ts'
import { assertionType } from '../grants/client-assertion.ts'
import { answerOf, basic, launchToken, redirectUri, SmartApp, type Tokens } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'

/** Once through everything that is written down. */
async function liveThrough(auth: TestAuth): Promise<void> {
  const browser = auth.browser()
  await browser.signIn('clinician', 'wrong')
  await browser.signIn()
  const app = new SmartApp(auth)
  await app.authorize(browser, { launch: 'unknown', scope: 'launch openid' })
  const launch = await launchToken(browser)
  const code = await app.code({ launch, scope: 'launch openid offline_access' }, browser)
  await app.exchange(await app.code({}, browser), { code_verifier: 'x'.repeat(43) })
  await app.exchange(code)
  await app.exchange(code)
  const { refresh_token: used, access_token: accessToken } = await app.tokens({}, browser)
  await app.refresh(used)
  await app.refresh(used)
  await app.token({ grant_type: 'client_credentials' }, { authorization: basic('svc-bridge', 'wrong') })
  const revoke = (token: string) =>
    fetch(`${auth.url}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams({ token }) })
  const { refresh_token: other, access_token: living } = await app.tokens({}, browser)
  await revoke(living)
  await revoke(other)
  await revoke(accessToken)
  const asking = new SmartApp(auth, 'asking-app')
  const request = answerOf(await asking.authorize(browser, { scope: 'openid' })).get('request') ?? ''
  await browser.post('/oauth2/authorize/consent', { request, decision: 'deny' })
  const commands = { ...auth.deps, mode: 'demo', auditToFhir: false, allowsLoopbackKeySets: false, operator } as const
  await rotateKeys({}, commands)
  await auth.database.transaction((tx) => auditWork(tx, '1 of bridge.coordination to be tried again', commands))
  await browser.post('/logout', {})
}

const operator = 'os:tester'

const askingApp = { clientId: 'asking-app', redirectUris: [redirectUri], scope: 'openid', requiresConsent: true }

describe('the audit trail', () => {
  it('has a row for everything that it promises, with ids and without secrets', async () => {
    await using auth = await startTestAuth({ clients: [askingApp] })
    await liveThrough(auth)
    const rows = await auth.database.many<{ event: string; outcome: string; all: string }>(
      sql`select event, outcome, a::text as all from auth.audit_events a order by at, id`,
    )
    const seen = new Set(rows.map(({ event }) => event))
    expect(auditedEvents.filter((event) => !seen.has(event))).toEqual([])
    const outcomes = rows.filter(({ event }) => event === 'login').map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['failure', 'success'])
    const text = rows.map(({ all }) => all).join('\n')
    expect(text).not.toMatch(/eyJ|wrong|Amara/)
  })

  it('has what a user lost who left the browser to another one that signed in', async () => {
    await using auth = await startTestAuth()
    const browser = auth.browser()
    await browser.signIn()
    const app = new SmartApp(auth)
    const { access_token: token } = await app.tokens({ scope: 'openid' }, browser)
    await browser.signIn('clinician')
    const revoked = () =>
      auth.database.many(sql`
        select subject, client_id as "clientId", grant_id as "grantId", peer from auth.audit_events
        where event = 'grant revoked'`)
    expect(await revoked()).toEqual([])
    await browser.signIn('clinician2')
    const grantId = decodeJwt(token)['gid']
    expect(await revoked()).toEqual([{ subject: 'dr-amara', clientId: 'demo-app', grantId, peer: '127.0.0.1' }])
  })

  it('has what a user lost who signed out, and leaves what goes on without them', async () => {
    await using auth = await startTestAuth()
    const browser = auth.browser()
    await browser.signIn()
    const app = new SmartApp(auth)
    const launch = await launchToken(browser)
    const { access_token: online } = await app.tokens({ launch, scope: 'launch openid' }, browser)
    await app.tokens({ scope: 'openid offline_access' }, browser)
    await browser.post('/logout', {})
    const rows = await auth.database.many(sql`
      select event, subject, client_id as "clientId", grant_id as "grantId", patient, peer from auth.audit_events
      where event in ('logout', 'grant revoked') order by event desc`)
    const by = { subject: 'dr-amara', peer: '127.0.0.1' }
    expect(rows).toEqual([
      { event: 'logout', clientId: null, grantId: null, patient: null, ...by },
      {
        ...{ event: 'grant revoked', clientId: 'demo-app', grantId: decodeJwt(online)['gid'] },
        ...{ patient: 'amina-diallo', ...by },
      },
    ])
  })

  it('names the client that did not prove itself, at every address that asks for a proof and in every way', async () => {
    await using auth = await startTestAuth()
    const confidential = new SmartApp(auth, 'demo-confidential')
    const exchanged = await confidential.exchange(await confidential.code(), { client_secret: 'demo' })
    const { refresh_token: token } = (await exchanged.json()) as Tokens
    const assertion = new UnsecuredJWT({ sub: 'svc-monitor' }).setIssuer('svc-monitor').encode()
    const byAssertion = { client_assertion: assertion, client_assertion_type: assertionType }
    const wrong = (id: string) => ({ authorization: basic(id, 'wrong') })
    const asked: [string, Record<string, string>, Record<string, string>][] = [
      ['token', { grant_type: 'client_credentials' }, wrong('svc-bridge')],
      ['token', { grant_type: 'client_credentials', client_id: 'svc-admin', client_secret: 'wrong' }, {}],
      ['token', { grant_type: 'client_credentials', ...byAssertion }, {}],
      ['token', { grant_type: 'refresh_token', refresh_token: token }, {}],
      ['token', { grant_type: 'client_credentials' }, wrong('nobody-here')],
      ['introspect', { token: 'x' }, wrong('svc-referral')],
      ['introspect', { token: 'x' }, {}],
      ['revoke', { token: 'x' }, wrong('svc-consent')],
      ['revoke', { token }, {}],
    ]
    for (const [path, fields, headers] of asked) {
      const body = new URLSearchParams(fields)
      const { status } = await fetch(`${auth.url}/oauth2/${path}`, { method: 'POST', body, headers })
      expect([path, [400, 401].includes(status)]).toEqual([path, true])
    }
    const rows = await auth.database.many<{ clientId: string | null }>(sql`
      select client_id as "clientId" from auth.audit_events
      where event = 'client authentication failed' and outcome = 'failure' order by at, id`)
    expect(rows.map(({ clientId }) => clientId)).toEqual([
      ...['svc-bridge', 'svc-admin', 'svc-monitor', 'demo-confidential', null],
      ...['svc-referral', null, 'svc-consent', 'demo-confidential'],
    ])
  })

  it('does not write down what was typed as a name when nobody has it', async () => {
    await using auth = await startTestAuth()
    await auth.browser().signIn('my-password-by-mistake', 'x')
    const rows = await auth.database.many<{ all: string }>(sql`select a::text as all from auth.audit_events a`)
    expect(rows.map(({ all }) => all).join()).not.toContain('my-password')
  })

  it('becomes AuditEvent resources in the FHIR store, each once', async () => {
    await using auth = await startTestAuth({ section: { auditToFhir: true } })
    const browser = auth.browser()
    await browser.signIn()
    const tokens = await new SmartApp(auth).tokens(
      { launch: await launchToken(browser), scope: 'launch openid' },
      browser,
    )
    expect(tokens.patient).toBe('amina-diallo')
    const events = await waitFor(
      () => {
        const found = auth.fhir.stored.filter((resource) => resource.resourceType === 'AuditEvent') as AuditEvent[]
        return found.length === 5 ? found : undefined
      },
      { what: 'five audit events in the FHIR store' },
    )
    const subtypes = events.map(({ subtype }) => subtype?.[0]?.code ?? '').toSorted()
    expect(subtypes).toEqual(['110122', 'code issued', 'launch created', 'launch used', 'token issued'])
    const issued = events.find(({ subtype }) => subtype?.[0]?.code === 'token issued')
    expect(issued).toMatchObject({
      outcome: '0',
      agent: [
        {
          who: {
            reference: 'Practitioner/dr-amara',
            identifier: { system: 'urn:corridor:subject', value: 'dr-amara' },
          },
          requestor: true,
        },
        { who: { identifier: { system: 'urn:corridor:client-id', value: 'demo-app' } }, requestor: false },
      ],
      entity: [
        { what: { reference: 'Patient/amina-diallo' } },
        { what: { identifier: { system: 'urn:corridor:grant-id', value: decodeJwt(tokens.access_token)['gid'] } } },
      ],
    })
  })

  it('says of a refresh, and of a code that was refused, whose it was and for which patient', async () => {
    await using auth = await startTestAuth()
    const browser = auth.browser()
    await browser.signIn()
    const app = new SmartApp(auth)
    const scope = 'launch openid offline_access patient/Patient.rs'
    const { refresh_token: token } = await app.tokens({ launch: await launchToken(browser), scope }, browser)
    await app.refresh(token)
    const stolen = await app.code({ launch: await launchToken(browser), scope }, browser)
    await app.exchange(stolen, { code_verifier: 'x'.repeat(43) })
    const rows = await auth.database.many(sql`
      select event, subject, patient from auth.audit_events where event in ('token refreshed', 'code exchanged')
      order by event`)
    const whose = { subject: 'dr-amara', patient: 'amina-diallo' }
    expect(rows).toEqual([
      { event: 'code exchanged', ...whose },
      { event: 'token refreshed', ...whose },
    ])
  })

  it('says of everything that ends a grant whose it was, for which patient and which app', async () => {
    await using auth = await startTestAuth({ section: { auditToFhir: true } })
    const browser = auth.browser()
    await browser.signIn()
    const app = new SmartApp(auth)
    const launched = async () => ({ launch: await launchToken(browser), scope: 'launch openid offline_access' })
    const grants = new Map<string, unknown>()
    const granted = async (event: string) => {
      const code = await app.code(await launched(), browser)
      const tokens = (await (await app.exchange(code)).json()) as Tokens
      grants.set(event, decodeJwt(tokens.access_token)['gid'])
      return { code, tokens }
    }
    const revoke = (token: string) =>
      fetch(`${auth.url}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams({ token }) })

    await app.exchange((await granted('code replayed')).code)
    const { tokens: swapped } = await granted('refresh token reused')
    await app.refresh(swapped.refresh_token)
    await app.refresh(swapped.refresh_token)
    await revoke((await granted('token revoked')).tokens.access_token)
    await revoke((await granted('grant revoked by the app')).tokens.refresh_token)
    await granted('grant revoked by the person')
    await browser.post('/account/apps/revoke', { grant: String(grants.get('grant revoked by the person')) })

    const ofKind = (code: string) =>
      auth.fhir.stored.filter(
        (resource): resource is AuditEvent =>
          resource.resourceType === 'AuditEvent' && (resource as AuditEvent).subtype?.[0]?.code === code,
      )
    const kinds = ['code replayed', 'refresh token reused', 'token revoked', 'grant revoked']
    const events = await waitFor(
      () => {
        const found = kinds.flatMap(ofKind)
        return found.length === 5 ? found : undefined
      },
      { what: 'five audit events of what ended' },
    )
    const told = events.map(({ subtype, agent, entity }) => ({
      event: subtype?.[0]?.code,
      agents: agent.map(({ who, requestor }) => [who?.identifier?.value, requestor]),
      about: entity?.map(({ what }) => what?.reference ?? what?.identifier?.value),
    }))
    const [byPerson, byApp] = [
      [
        ['dr-amara', true],
        ['demo-app', false],
      ],
      [
        ['demo-app', true],
        ['dr-amara', false],
      ],
    ]
    const expected = [...grants].map(([name, grant]) => ({
      event: kinds.find((kind) => name.startsWith(kind)),
      // Who brings back what was taken has stolen it, from the app or by it: not the person.
      agents: ['code replayed', 'refresh token reused'].includes(name) ? byApp : byPerson,
      about: ['Patient/amina-diallo', grant],
    }))
    expect(told).toHaveLength(5)
    expect(told).toEqual(expect.arrayContaining(expected))

    // What was left of the grant whose token was revoked ends with the account, by nobody who is named in it.
    await disableUser('clinician', {
      ...{ ...auth.deps, mode: 'demo', auditToFhir: true, allowsLoopbackKeySets: false, operator },
    })
    const byOperator = await waitFor(
      () => {
        const found = ['account changed', 'grant revoked']
          .flatMap(ofKind)
          .filter(({ agent }) => agent[0]?.who?.identifier?.system === 'urn:corridor:operator')
        return found.length === 2 ? found : undefined
      },
      { what: 'two audit events of what an operator did' },
    )
    const agents = byOperator.map(({ agent }) => agent.map(({ who, requestor }) => [who?.identifier?.value, requestor]))
    const nobodyNamed = [
      [operator, true],
      ['dr-amara', false],
    ]
    expect(agents).toEqual([nobodyNamed, [...nobodyNamed, ['demo-app', false]]])
  })

  it('names who failed to sign in as who succeeds, by the same record, and nobody where there is no such account', async () => {
    await using auth = await startTestAuth({ section: { auditToFhir: true } })
    for (const name of ['clinician', 'nobody-here']) await auth.browser().signIn(name, 'wrong')
    await auth.browser().signIn()
    const events = await waitFor(
      () => {
        const found = auth.fhir.stored.filter((resource) => resource.resourceType === 'AuditEvent') as AuditEvent[]
        return found.length === 3 ? found : undefined
      },
      { what: 'three audit events in the FHIR store' },
    )
    const amara = {
      altId: 'clinician',
      who: { reference: 'Practitioner/dr-amara', identifier: { system: 'urn:corridor:subject', value: 'dr-amara' } },
    }
    const named = events.map(({ outcome, agent: [agent] }) => [outcome, agent?.altId, agent?.who])
    expect(named).toHaveLength(3)
    expect(named).toEqual(
      expect.arrayContaining([
        ['4', amara.altId, amara.who],
        ['4', undefined, { identifier: { value: 'unknown' } }],
        ['0', amara.altId, amara.who],
      ]),
    )
  })

  it('tells the FHIR store why a code was refused, and nothing of a code that was none', async () => {
    await using auth = await startTestAuth({ section: { auditToFhir: true } })
    const app = new SmartApp(auth)
    const refused = await app.exchange(await app.code(), { code_verifier: 'x'.repeat(43) })
    const unknown = await app.exchange('never-issued')
    expect([refused.status, unknown.status]).toEqual([400, 400])
    await waitFor(
      async () => {
        const { left } = await auth.database.one<{ left: number }>(
          // What the start has added is told later.
          sql`select count(*)::integer as left from kit.outbox where payload ->> 'id' not in (
            select id::text from auth.audit_events where event = 'account changed')`,
        )
        return left === 0 ? true : undefined
      },
      { what: 'everything that waits has been told' },
    )
    const events = auth.fhir.stored.filter((resource) => resource.resourceType === 'AuditEvent') as AuditEvent[]
    const told = events.map(({ subtype, outcome, outcomeDesc }) => [subtype?.[0]?.code, outcome, outcomeDesc])
    expect(told).toHaveLength(3)
    expect(told).toEqual(
      expect.arrayContaining([
        ['110122', '0', undefined],
        ['code exchanged', '4', 'code_verifier'],
        ['code issued', '0', undefined],
      ]),
    )
  })
})
