import { Time } from '../../packages/views/components/time.tsx'
import { Layout } from '../../packages/views/layout.tsx'

/** A page with a part that is fetched anew every second. */
export function FragmentPage({ assetUrl }: { readonly assetUrl: (name: string) => string }) {
  return (
    <Layout title="Fragment" assetUrl={assetUrl} scripts={['refresh-fragment.js']}>
      <h1>Fragment</h1>
      <div data-refresh="/fragment" data-refresh-seconds="1">
        Not yet
      </div>
    </Layout>
  )
}

export function RefreshedPart() {
  return (
    <p>
      At <Time at="2026-03-14T09:26:53Z" />
    </p>
  )
}

/** What no page of ours may be. */
export const inlineScriptPage = '<!doctype html><title>Odd</title><script>document.title = "ran"</script>'
