import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { AppVisitor } from './app-visitor.ts'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import { startSmallSmartServer, type SmallSmartServer } from './small-smart-server.ts'

export interface TestApp extends AsyncDisposable {
  readonly server: SmallSmartServer
  readonly clock: MovedClock
  readonly corridor: TestCorridor
  visitor(): AppVisitor
  /** A browser for which the app was launched. */
  launched(visitor?: AppVisitor): Promise<AppVisitor>
}

/** The app alone, with a SMART server of another author and a clock that only the test moves. */
export async function startTestApp(settings: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  await using started = new AsyncDisposableStack()
  const server = started.use(await startSmallSmartServer())
  const clock = new MovedClock(new Date('2026-03-04T10:00:00Z'))
  const corridor = started.use(
    await testCorridor({
      services: ['immunization'],
      clock,
      settings: {
        'immunization.issuers': server.base,
        'immunization.authorizationServers': server.url,
        ...settings,
      },
    }),
  )
  const life = started.move()
  const visitor = () => new AppVisitor(corridor)
  return {
    ...{ server, clock, corridor, visitor },
    async launched(by = visitor()) {
      const state = await beginLaunch(by, server)
      await by.get(`/callback?code=a-code&state=${state}`)
      return by
    },
    [Symbol.asyncDispose]: () => life.disposeAsync(),
  }
}

/** The state that the app sent along with the browser. */
export async function beginLaunch(visitor: AppVisitor, { base }: Pick<SmallSmartServer, 'base'>): Promise<string> {
  const response = await visitor.get(`/launch?iss=${encodeURIComponent(base)}&launch=a-launch`)
  return new URL(response.headers.get('location') ?? '').searchParams.get('state') ?? ''
}
