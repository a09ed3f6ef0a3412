import { redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { nothing } from '../../../packages/http/content.ts'
import type { ImmunizationDeps } from '../deps.ts'
import { giveTokensBack } from '../session/give-tokens-back.ts'
import { ownTokenOf } from '../session/own-token.ts'
import type { Session } from '../session/session.ts'
import { visitor, noSessionCookie } from '../session/visitor.ts'
import { endSession } from '../store/sessions.ts'
import { appRoute } from './app-route.ts'

export const logout = appRoute({
  method: 'POST',
  path: '/logout',
  who: visitor,
  summary: 'Ends the session, and what the app was granted for it; leads to where our own login ends',
  tags: ['Launch'],
  accepts: [formType],
  output: { 303: nothing },
  run: async ({ caller }, deps) => {
    const { database, clock, records, settings } = deps
    const cookie = { 'set-cookie': noSessionCookie(settings) }
    if (caller.is !== 'open') return redirect(303, signedOut, cookie)
    await endSession(caller.session.sessionHash, clock.now(), database)
    records.forget(caller.session)
    await giveTokensBack(caller.session, deps)
    return redirect(303, loginEndOf(caller.session, deps) ?? signedOut, cookie)
  },
})

const signedOut = '/launch?error=signed_out'

/** As long as the login lives, whoever comes next only has to press "Sign in". */
const loginEndOf = (session: Session, { authUrl }: Pick<ImmunizationDeps, 'authUrl'>): string | undefined =>
  ownTokenOf(session, authUrl) === undefined ? undefined : `${authUrl}/logout`
