import { page } from '../../../packages/http/answer.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { facilityChoices } from '../../../ports/fhir-store/facility-choices.ts'
import type { PageDeps } from './deps.ts'
import { FormPage, type FormModel } from './form-page.tsx'
import type { FrameModel } from './consent-frame.tsx'
import { namesIn } from './names-in.ts'
import { PreviewPage, type PreviewModel } from './preview-page.tsx'

/** The first step of saying a consent, as a page. */
export async function showForm(
  said: Omit<FormModel, keyof FrameModel | 'facilities'>,
  visitor: Visitor,
  { storeOf, addresses, assetUrl }: PageDeps,
) {
  const facilities = await facilityChoices(storeOf(visitor))
  return page(renderPage(<FormPage model={{ ...said, visitor, addresses, assetUrl, facilities }} />))
}

/** The second step: what it would change. */
export async function showPreview(
  said: Omit<PreviewModel, keyof FrameModel | 'nameOf'>,
  visitor: Visitor,
  deps: PageDeps,
) {
  const { addresses, assetUrl } = deps
  const { terms, preview, changed } = said
  const actors = preview.days.flatMap(({ changes }) => changes.flatMap((change) => change.actors))
  const named = actors.map((actorReference) => ({ actorReference }))
  const before = changed === undefined ? [] : [changed.record]
  const nameOf = await namesIn([terms, ...preview.opposed, ...before, ...named], visitor, deps)
  return page(renderPage(<PreviewPage model={{ ...said, visitor, addresses, assetUrl, nameOf }} />))
}
