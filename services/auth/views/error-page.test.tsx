import { describe, expect, it } from 'vitest'
import { faultOf, forbidden, incorrect, unavailable, type Fault } from '../../../packages/faults/fault.ts'
import { problemOf } from '../../../packages/faults/render.ts'
import { checkSameOrigin } from '../../../packages/http/csrf.ts'
import { launchRejected } from '../authorize/find-launch.ts'
import { errorPageOf } from '../error-page-of.tsx'
import { checkCsrf, type Visitor } from '../login/visitor.ts'

const visitor = {
  csrf: 'csrf-1',
  user: { displayName: 'Dr Amara Okafor', organisation: null, roles: ['CLINICIAN'] },
}
const failing = unavailable('The FHIR server cannot be reached.', { code: 'BAD_GATEWAY' })

interface Failed {
  readonly method?: string
  readonly url?: string
  readonly caller?: unknown
}

function pageAbout(fault: Fault, failed: Failed = {}): string {
  const show = errorPageOf({ assetUrl: (name) => `/assets/${name}` })
  return show(problemOf(fault, new Date('2026-01-02T03:04:05Z')), 'request-1', {
    ...{ method: 'GET', url: '/portal?search=kofi&x="', caller: visitor, headers: {}, cookies: new Map() },
    ...failed,
  })
}

describe('a page about an error', () => {
  it('stays in the frame of whoever is signed in', () => {
    expect(pageAbout(failing)).toMatch(/Dr Amara Okafor[^]*Sign out[^]*The FHIR server cannot be reached/)
    expect(pageAbout(failing, { caller: undefined })).not.toContain('Sign out')
  })

  it('lets a page that could not be shown be tried again, never a form', () => {
    expect(pageAbout(failing)).toMatch(/href="\/portal\?search=kofi&amp;x=&quot;"[^>]*>Try again/)
    expect(pageAbout(failing, { method: 'POST' })).not.toContain('Try again')
  })

  it.each([visitor, undefined])('says after a launch that was used to launch again from the portal', (caller) => {
    const page = pageAbout(launchRejected(), { caller })
    expect(page).toContain('<h1>This launch is over</h1>')
    expect(page).not.toContain('sign in again')
    expect(page).toContain('Launch again from the portal: choose the patient, then the app.')
    expect(page).toMatch(/href="\/portal"[^>]*>Go to the portal/)
    expect(page).not.toContain('Try again')
  })

  it.each([
    ['/oauth2/authorize?client_id=x', 'The app did not ask as it must'],
    ['/oauth2/authorize/resume?request=x', 'This request is over'],
    ['/oauth2/authorize/consent?request=x', 'This request is over'],
  ])('tells who was led to %s by an app to go back to it: they can correct nothing here', (url, title) => {
    const page = pageAbout(incorrect('Why it is so.', { code: 'invalid_request' }), { url })
    expect(page).toContain(`<h1>${title}</h1>`)
    expect(page).toContain('Why it is so.')
    expect(page).toContain('Go back to the app and begin again')
    expect(page).not.toContain('correct what is named here')
  })

  it('tells who sends a form of an earlier login to load the page again, not to ask for a right', () => {
    const own = { csrf: 'csrf-1' } as Visitor
    for (const check of [() => checkCsrf('csrf-0', own), () => checkSameOrigin({ origin: 'null' }, [])]) {
      const page = pageAbout(thrownBy(check), { method: 'POST' })
      expect(page).toContain('<h1>This form is out of date</h1>')
      expect(page).not.toContain('administrator')
    }
  })

  it('leads patients to a page of theirs: the portal is closed to them', () => {
    const patient = { csrf: 'csrf-1', user: { displayName: 'Amina Diallo', organisation: null, roles: ['PATIENT'] } }
    const page = pageAbout(forbidden('This is for staff.'), { caller: patient })
    expect(page).toMatch(/href="\/account\/apps"[^>]*>Go to your apps/)
    expect(page).not.toContain('href="/portal"')
  })
})

function thrownBy(work: () => void): Fault {
  try {
    work()
  } catch (thrown) {
    return faultOf(thrown)
  }
  throw new Error('nothing was refused')
}
