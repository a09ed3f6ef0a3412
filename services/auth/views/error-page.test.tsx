import { describe, expect, it } from 'vitest'
import { faultOf, forbidden, incorrect, unavailable, type Fault } from '../../../packages/faults/fault.ts'
import { problemOf } from '../../../packages/faults/render.ts'
import { checkSameOrigin } from '../../../packages/http/csrf.ts'
import type { FailedPage } from '../../../packages/http/error-answer.ts'
import { latinIn } from '../../../packages/views/words/testing/latin-in.ts'
import type { AuthSettings } from '../settings.ts'
import { requestOver } from '../authorize/request-over.ts'
import { launchRejected } from '../authorize/find-launch.ts'
import { errorPageOf } from '../error-page-of.tsx'
import { checkCsrf, type Visitor } from '../login/visitor.ts'

const visitor = {
  csrf: 'csrf-1',
  user: { displayName: 'Dr Amara Okafor', organisation: null, roles: ['CLINICIAN'] },
}
// Sound: of the settings the page asks only for this one.
const settings = { isSecure: false } as AuthSettings
const failing = unavailable('The FHIR server cannot be reached.', { code: 'BAD_GATEWAY' })

const patient = { csrf: 'csrf-1', user: { displayName: 'Amina Diallo', organisation: null, roles: ['PATIENT'] } }

function pageAbout(fault: Fault, failed: Partial<FailedPage> = {}): string {
  const show = errorPageOf({ assetUrl: (name) => `/assets/${name}`, settings })
  const { markup } = show(problemOf(fault, new Date('2026-01-02T03:04:05Z')), 'request-1', {
    ...{ method: 'GET', url: '/portal?search=kofi&x="', caller: visitor, headers: {}, cookies: new Map() },
    rawBody: undefined,
    ...failed,
  })
  return markup
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

  it('tells who was led here by an app to go back to it: they can correct nothing here', () => {
    for (const code of ['invalid_request', 'unauthorized_client']) {
      const page = pageAbout(incorrect('Why it is so.', { code }), { url: '/oauth2/authorize?client_id=x' })
      expect(page).toContain('Why it is so.')
      expect(page).not.toContain('correct what is named here')
    }
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
    const page = pageAbout(forbidden('This is for staff.'), { caller: patient })
    expect(page).toMatch(/href="\/account\/apps"[^>]*>Go to your apps/)
    expect(page).not.toContain('href="/portal"')
  })

  it.each([
    ['what its kind is called', failing, 'جزء من النظام لا يستجيب'],
    ['a launch that is over', launchRejected(), 'انتهت صلاحية هذا الفتح'],
    ['a request that is over', incorrect('Too old.', { code: requestOver }), 'انتهت صلاحية طلب التطبيق'],
    ['a mistake of the app', incorrect('No such client.', { code: 'invalid_client' }), 'طلب التطبيق ما لا تمكن'],
  ])('says in the language of a patient, or of nobody known: %s', (_what, fault, words) => {
    const arabic = { cookies: new Map([['corridor_language', 'ar']]) }
    for (const caller of [patient, undefined]) {
      const page = pageAbout(fault, { caller, ...arabic })
      expect(page).toMatch(/^<!doctype html><html lang="ar" dir="rtl">/)
      expect(page).toContain(words)
      expect(latinIn(page)).toEqual([])
    }
    expect(pageAbout(fault, arabic)).toMatch(/^<!doctype html><html lang="en" dir="ltr">/)
  })
})

describe('the other languages of a page about an error', () => {
  const links = (page: string) => [...page.matchAll(/href="([^"]*lang=[a-z]{2}[^"]*)"/g)].map(([, to]) => to)

  it('are offered where the page can be loaded once more', () => {
    const url = '/oauth2/authorize/consent?request=r-1&lang=ar'
    for (const caller of [patient, undefined]) {
      const page = pageAbout(incorrect('Too old.', { code: requestOver }), { url, caller })
      expect(page).toContain('<html lang="ar" dir="rtl">')
      expect(links(page)).toEqual(
        ['en', 'fr', 'es', 'ar', 'sw'].map((each) => url.replace('ar', each).replace('&', '&amp;')),
      )
    }
  })

  it('are not where that would send a form twice, nor to staff', () => {
    expect(links(pageAbout(failing, { method: 'POST', caller: patient }))).toEqual([])
    expect(links(pageAbout(failing))).toEqual([])
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
