import type { Problem } from '../../../packages/faults/render.ts'
import { Button } from '../../../packages/views/components/button.tsx'
import { ProblemNotice, problemTitle } from '../../../packages/views/components/problem-notice.tsx'
import { Layout } from '../../../packages/views/layout.tsx'
import { launchRejected } from '../authorize/find-launch.ts'
import { requestOver } from '../authorize/request-over.ts'
import { homeOf } from '../login/next-page.ts'
import type { Reader } from '../words/reader.ts'
import { UserLayout, type SignedIn } from './user-layout.tsx'

interface AuthErrorModel {
  readonly reader: Reader
  readonly problem: Problem
  readonly requestId: string
  /** Whoever is signed in stays in the frame of the portal. */
  readonly signedIn: SignedIn | undefined
  /** What to load once more; undefined where that would send a form twice. */
  readonly again: string | undefined
  /** Where it was an app that asked, and nobody at a browser. */
  readonly isOfApp: boolean
}

interface AuthErrorPageProps {
  readonly model: AuthErrorModel
  readonly assetUrl: (name: string) => string
}

/** What went wrong, and what to do now. */
export function AuthErrorPage({ model, assetUrl }: AuthErrorPageProps) {
  const { problem, requestId, signedIn, reader, isOfApp } = model
  const { text } = reader.words
  const own = ownWords(problem, isOfApp)
  const title = own === undefined ? problemTitle(problem, reader.words) : text(`${own}Title`)
  const advice = own === undefined ? undefined : text(`${own}Advice`)
  const frame = { title, width: 'narrow', assetUrl } as const
  const notice = <ProblemNotice {...{ problem, title, advice, requestId }} actions={<WayOut {...model} />} />
  if (signedIn === undefined) {
    return (
      <Layout {...frame} {...reader.layout} area={text('area')} home="/portal">
        {notice}
      </Layout>
    )
  }
  return (
    <UserLayout {...frame} signedIn={signedIn} reader={reader}>
      {notice}
    </UserLayout>
  )
}

/** What is said in other words than its kind is elsewhere. */
function ownWords(problem: Problem, isOfApp: boolean) {
  // Its 401 is not about who is signed in.
  if (isLaunch(problem)) return 'launchOver'
  if (problem.code === requestOver) return 'requestOver'
  // Words of RFC 6749, or its endpoint: the app has sent what its user cannot correct.
  const isTheApps = isOfApp || /^(?:invalid_[a-z]+|unauthorized_client)$/.test(problem.code ?? '')
  return problem.status === 400 && isTheApps ? 'appWrong' : undefined
}

function WayOut({ problem, again, signedIn, reader: { words } }: AuthErrorModel) {
  const mayHelp = problem.status >= 502 && again !== undefined
  if (mayHelp && !isLaunch(problem)) return <Button href={again}>{words.text('tryAgain')}</Button>
  const home = signedIn === undefined ? '/portal' : homeOf(signedIn.user)
  return <Button href={home}>{words.text(home === '/portal' ? 'goToPortal' : 'goToApps')}</Button>
}

const isLaunch = ({ detail }: Problem) => detail === launchRejected().shown
