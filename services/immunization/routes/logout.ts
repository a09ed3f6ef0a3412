import { redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { nothing } from '../../../packages/http/content.ts'
import { giveTokensBack } from '../session/give-tokens-back.ts'
import { visitor, noSessionCookie } from '../session/visitor.ts'
import { endSession } from '../store/sessions.ts'
import { appRoute } from './app-route.ts'

export const logout = appRoute({
  method: 'POST',
  path: '/logout',
  who: visitor,
  summary: 'Ends the session, and what the app was granted for it',
  tags: ['Launch'],
  accepts: [formType],
  output: { 303: nothing },
  run: async ({ caller }, deps) => {
    const { database, clock, records, settings } = deps
    if (caller.is === 'open') {
      await endSession(caller.session.sessionHash, clock.now(), database)
      records.forget(caller.session)
      await giveTokensBack(caller.session, deps)
    }
    return redirect(303, '/launch?error=signed_out', { 'set-cookie': noSessionCookie(settings) })
  },
})
