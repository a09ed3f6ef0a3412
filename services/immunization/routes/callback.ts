import { redirect } from '../../../packages/http/answer.ts'
import { nothing } from '../../../packages/http/content.ts'
import { text } from '../../../packages/http/fields.ts'
import { anyone } from '../../../packages/http/who.ts'
import { finishLaunch } from '../launch/finish-launch.ts'
import { giveTokensBack } from '../session/give-tokens-back.ts'
import { launchSecretOf, openSessionOf, sessionCookie } from '../session/visitor.ts'
import { appRoute } from './app-route.ts'

const parameter = text({ max: 4_000, optional: true })

export const callback = appRoute({
  method: 'GET',
  path: '/callback',
  who: anyone,
  summary: 'Where the authorization server sends the browser back with a code',
  tags: ['Launch'],
  input: { query: { code: parameter, state: parameter, error: parameter, iss: parameter } },
  output: { 302: nothing },
  run: async ({ query, request }, deps) => {
    const browser = {
      secret: launchSecretOf(request, deps.settings),
      before: await openSessionOf(request, deps),
    }
    const finished = await finishLaunch(query, browser, deps)
    if (finished.is === 'failed') return redirect(302, `/launch?error=${finished.error}`)
    if (browser.before !== undefined) {
      deps.records.forget(browser.before)
      await giveTokensBack(browser.before, deps)
    }
    const cookie = sessionCookie(finished.secret, deps.settings)
    return redirect(302, '/dashboard', { 'set-cookie': cookie })
  },
})
