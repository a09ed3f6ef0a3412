import type { Problem } from '../../../packages/faults/render.ts'
import { Button } from '../../../packages/views/components/button.tsx'
import { ProblemNotice } from '../../../packages/views/components/problem-notice.tsx'
import { Layout } from '../../../packages/views/layout.tsx'
import { launchRejected } from '../authorize/find-launch.ts'
import { homeOf } from '../login/next-page.ts'
import { UserLayout, type SignedIn } from './user-layout.tsx'

interface AuthErrorModel {
  readonly problem: Problem
  readonly requestId: string
  /** Whoever is signed in stays in the frame of the portal. */
  readonly signedIn: SignedIn | undefined
  /** What to load once more; undefined where that would send a form twice. */
  readonly again: string | undefined
  /** Whether it was an app that asked, and not the user: with this request, or with one that waited for them. */
  readonly askedByApp: 'now' | 'before' | undefined
}

interface AuthErrorPageProps {
  readonly model: AuthErrorModel
  readonly assetUrl: (name: string) => string
}

/** What went wrong, and what to do now. */
export function AuthErrorPage({ model, assetUrl }: AuthErrorPageProps) {
  const { problem, requestId, signedIn } = model
  const frame = { title: problem.title, width: 'narrow', assetUrl } as const
  const words = wordsFor(model)
  const notice = <ProblemNotice problem={problem} requestId={requestId} {...words} actions={<WayOut {...model} />} />
  if (signedIn === undefined) {
    return (
      <Layout {...frame} area="Portal" home="/portal">
        {notice}
      </Layout>
    )
  }
  return (
    <UserLayout {...frame} signedIn={signedIn}>
      {notice}
    </UserLayout>
  )
}

function wordsFor({ problem, askedByApp }: AuthErrorModel): { readonly title?: string; readonly advice?: string } {
  if (isLaunch(problem)) return launchWords
  return askedByApp === undefined || problem.status !== 400 ? {} : appWords[askedByApp]
}

/** Its 401 is not about who is signed in. */
const launchWords = {
  title: 'This launch is over',
  advice:
    'A launch opens an app once, and within a few minutes. Launch again from the portal: choose the patient, then the app.',
}

/** Who reads it can correct nothing, and who can does not read it. */
const appWords = {
  now: {
    title: 'The app did not ask as it must',
    advice:
      'The app got nothing. Go back to the app and begin again. If you come to this page once more, show it to who runs the app.',
  },
  before: { title: 'This request is over', advice: 'Go back to the app and begin again from there.' },
} as const

function WayOut({ problem, again, signedIn }: AuthErrorModel) {
  const mayHelp = problem.status >= 502 && again !== undefined
  if (mayHelp && !isLaunch(problem)) return <Button href={again}>Try again</Button>
  const home = signedIn === undefined ? '/portal' : homeOf(signedIn.user)
  return <Button href={home}>{home === '/portal' ? 'Go to the portal' : 'Go to your apps'}</Button>
}

const isLaunch = ({ detail }: Problem) => detail === launchRejected().shown
