import { Button } from './components/button.tsx'
import { ProblemNotice } from './components/problem-notice.tsx'
import type { ProblemNoticeProps } from './components/problem-notice.tsx'
import { Layout } from './layout.tsx'
import type { LayoutProps } from './layout.tsx'

export interface ErrorPageProps extends ProblemNoticeProps {
  readonly layout: Omit<LayoutProps, 'title' | 'children' | 'width'>
}

/** The whole page that a browser gets where a program would get problem+json. */
export function ErrorPage({ layout, ...notice }: ErrorPageProps) {
  return (
    <Layout {...layout} title={notice.problem.title} width="narrow">
      <ProblemNotice actions={<Button href={layout.home ?? '/'}>Go to the home page</Button>} {...notice} />
    </Layout>
  )
}
