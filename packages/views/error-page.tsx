import type { SentFields } from '../http/sent-fields.ts'
import { Button } from './components/button.tsx'
import { KeptForm } from './components/kept-form.tsx'
import { ProblemNotice, problemTitle } from './components/problem-notice.tsx'
import type { ProblemNoticeProps } from './components/problem-notice.tsx'
import { Layout } from './layout.tsx'
import type { LayoutProps } from './layout.tsx'
import { english, useWording } from './use-wording.ts'
import { WorkspaceLayout, workspaceParts, type WorkspaceLayoutProps } from './workspace-layout.tsx'

interface ErrorPageProps extends ProblemNoticeProps {
  readonly layout: Omit<LayoutProps, 'title' | 'children' | 'width'>
  /** Where to go on once signed in, for whoever is not any more. */
  readonly signInTo?: string | undefined
}

/** The whole page that a browser gets where a program would get problem+json. */
export function ErrorPage({ layout, signInTo, ...notice }: ErrorPageProps) {
  const { wording = english } = layout
  const way =
    signInTo === undefined ? (
      <Button href={layout.home ?? '/'}>{wording.text('goHome')}</Button>
    ) : (
      <Button look="primary" href={`/sign-in?to=${encodeURIComponent(signInTo)}`}>
        {wording.text('signIn')}
      </Button>
    )
  return (
    <Layout {...layout} title={problemTitle(notice.problem, wording)} width="narrow">
      <ProblemNotice actions={way} {...notice} />
    </Layout>
  )
}

interface WorkspaceErrorPageProps extends ProblemNoticeProps {
  readonly layout: Pick<
    WorkspaceLayoutProps,
    'user' | 'addresses' | 'here' | 'assetUrl' | 'lang' | 'dir' | 'wording' | 'styles' | 'footer'
  >
  /** What may go well a moment later: the page that was wanted, or the form that was sent, with all that was typed. */
  readonly again?: string | { readonly to: string; readonly fields: SentFields } | undefined
}

/** The same for whoever is signed in: the ways to what is open to them stay. */
export function WorkspaceErrorPage({ layout, again, ...notice }: WorkspaceErrorPageProps) {
  const { wording = english } = layout
  const open = workspaceParts(layout.user, layout.addresses, layout.here, wording)
  const next = open.find(({ current }) => current === true) ?? open[0]
  return (
    <WorkspaceLayout {...layout} title={problemTitle(notice.problem, wording)} width="narrow">
      <ProblemNotice
        actions={
          <>
            <Again again={again} />
            {next && <Button href={next.href}>{wording.text('goTo', { part: next.label })}</Button>}
          </>
        }
        {...notice}
      >
        {typeof again === 'object' && <p>{wording.text('formKept')}</p>}
      </ProblemNotice>
    </WorkspaceLayout>
  )
}

function Again({ again }: Pick<WorkspaceErrorPageProps, 'again'>) {
  const { text } = useWording()
  if (again === undefined) return null
  if (typeof again === 'string') {
    return (
      <Button look="primary" href={again}>
        {text('tryAgain')}
      </Button>
    )
  }
  return (
    <KeptForm {...again}>
      <Button look="primary">{text('sendAgain')}</Button>
    </KeptForm>
  )
}
