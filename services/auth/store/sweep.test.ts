import { describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { launchToken, SmartApp } from '../testing/smart-app.ts'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import { startTestAuth } from '../testing/test-auth.tsx'
import { sweep } from './sweep.ts'

describe('sweeping', () => {
  it('removes what can no longer matter, and nothing that can', async () => {
    const clock = new MovedClock()
    await using auth = await startTestAuth({ clock })
    const browser = auth.browser()
    await browser.signIn('clinician', 'wrong')
    await browser.signIn()
    const app = new SmartApp(auth)
    const launch = await launchToken(browser)
    const tokens = await app.tokens({ launch, scope: 'launch openid offline_access' }, browser)
    await app.authorize(auth.browser())
    const left = async () => {
      const { all } = await auth.database.one<{ all: string }>(sql`
        select concat_ws(' ', (select count(*) from auth.authorization_requests), (select count(*) from auth.codes),
          (select count(*) from auth.launches), (select count(*) from auth.sessions), (select count(*) from auth.grants),
          (select count(*) from auth.refresh_tokens), (select count(*) from auth.failures),
          (select count(*) from auth.known_browsers)) as all`)
      return all
    }
    expect(await sweep(clock.now(), auth.database)).toBe(0)
    clock.forward(3_600)
    expect(await sweep(clock.now(), auth.database)).toBe(1)
    expect((await app.refresh(tokens.refresh_token)).status).toBe(200)
    clock.forward(29 * 86_400)
    await sweep(clock.now(), auth.database)
    const launches = await auth.database.many(sql`select 1 from auth.launches`)
    expect(launches).toHaveLength(1)
    clock.forward(71 * 86_400)
    await sweep(clock.now(), auth.database)
    expect(await left()).toBe('0 0 0 0 0 0 0 0')
    const { kept } = await auth.database.one<{ kept: number }>(
      sql`select count(*)::integer as kept from auth.audit_events`,
    )
    expect(kept).toBeGreaterThan(5)
  })
})
