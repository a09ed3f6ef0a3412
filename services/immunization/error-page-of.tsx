import type { HtmlError } from '../../packages/http/error-answer.ts'
import { Button } from '../../packages/views/components/button.tsx'
import { ProblemNotice, problemTitle } from '../../packages/views/components/problem-notice.tsx'
import { renderPage } from '../../packages/views/render.ts'
import { languageAt } from '../../packages/views/words/choose-language.ts'
import type { ImmunizationDeps } from './deps.ts'
import { OutsideLayout } from './views/outside-layout.tsx'
import { wordsOf } from './words/words.ts'

/** Errors as people see them who use the app, in their language. */
export function errorPageOf({ assetUrl, settings }: Pick<ImmunizationDeps, 'assetUrl' | 'settings'>): HtmlError {
  return (problem, requestId, failed) => {
    const words = wordsOf(languageAt(failed, settings))
    const title = problemTitle(problem, words)
    const home = <Button href="/dashboard">{words.text('goHome')}</Button>
    return renderPage(
      <OutsideLayout words={words} title={title} home="/dashboard" address={undefined} assetUrl={assetUrl}>
        <ProblemNotice problem={problem} requestId={requestId} actions={home} />
      </OutsideLayout>,
    )
  }
}
