import { spawn } from 'node:child_process'
import type { Configuration } from '../../configuration.ts'

export interface Page {
  readonly title: string
  readonly url: string
  /** Whom to sign in as; the password is `demo`. */
  readonly account: string
}

export function tourPages(
  { auth, bridge, consent }: Configuration,
  { patient, referral }: { readonly patient: string; readonly referral: string },
): Page[] {
  return [
    {
      title: 'The record, and the app with the vaccination',
      url: `${auth.url}/portal/${pageOf(patient)}`,
      account: 'clinician',
    },
    { title: 'The referral, step by step', url: referral, account: 'clinician' },
    { title: 'The consents of the patient', url: `${consent.url}/${pageOf(patient)}`, account: 'clinician' },
    { title: 'The messages, live', url: `${bridge.url}/console`, account: 'admin' },
  ]
}

const pageOf = (reference: string): string => reference.replace('Patient/', 'patients/')

/** Opens an address in the visitor's browser; false where there is none to be found. */
export function openInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command ?? '', [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    child.unref()
  })
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // An empty title comes first: start takes the first quoted word for one.
  win32: ['cmd', '/c', 'start', ''],
}
