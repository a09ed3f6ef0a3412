import { incorrect, unauthenticated, type Fault } from '../faults/fault.ts'
import { redirect } from '../http/answer.ts'
import { html, nothing } from '../http/content.ts'
import { text } from '../http/fields.ts'
import { routeFor, type Route } from '../http/route.ts'
import { anyone } from '../http/who.ts'
import { serverAway } from './server-away.tsx'
import { signInAgain } from './sign-in-again.tsx'
import type { SignIn, SignInFailure } from './sign-in.ts'

interface Deps {
  readonly signIn: SignIn
  readonly assetUrl: (name: string) => string
}

const route = routeFor<Deps>()
const tags = ['Sign-in']

const begin = route({
  method: 'GET',
  path: '/sign-in',
  who: anyone,
  tags,
  summary: 'Sends the browser to the authorization server',
  input: { query: { to: text({ max: 2_000, optional: true, description: 'The page to come back to.' }) } },
  output: { 302: nothing },
  run: async ({ query, request }, { signIn }) => {
    const { location, cookie } = await signIn.begin(query.to ?? '/', request)
    return redirect(302, location, { 'set-cookie': cookie })
  },
})

const callback = route({
  method: 'GET',
  path: '/sign-in/callback',
  who: anyone,
  tags,
  summary: 'Takes the code of the authorization server and begins a session',
  input: {
    query: {
      code: text({ max: 2_000, optional: true }),
      state: text({ max: 200, optional: true }),
      error: text({ max: 200, optional: true }),
    },
  },
  output: { 302: nothing, 503: html },
  run: async ({ query, request }, { signIn, assetUrl }) => {
    const finished = await signIn.finish(query, request)
    if (finished.is === 'failed') throw failures[finished.why]()
    if (finished.is === 'away') return serverAway(finished.returnTo, request, { signIn, assetUrl })
    return redirect(302, finished.returnTo, { 'set-cookie': finished.cookie })
  },
})

const end = route({
  method: 'POST',
  path: '/sign-out',
  who: anyone,
  tags,
  summary: 'Ends the sessions at all services and leads to where the login itself ends',
  output: { 303: nothing },
  // A page of another site must not sign anybody out.
  sameOrigin: true,
  run: async ({ request }, { signIn }) => {
    const { location, cookie } = await signIn.end(request)
    return redirect(303, location, { 'set-cookie': cookie })
  },
})

const failures: Readonly<Record<SignInFailure, () => Fault>> = {
  'not-begun-here': () =>
    incorrect('This sign-in was not begun in this browser, or it took longer than a quarter of an hour. Begin again.', {
      code: 'SIGN_IN_EXPIRED',
    }),
  refused: () =>
    unauthenticated('The authorization server did not sign you in. Begin again.', { code: 'SIGN_IN_REFUSED' }),
}

export const signInRoutes: readonly Route<Deps>[] = [begin, callback, signInAgain, end]
