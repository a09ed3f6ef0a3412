import type { DocsGroup, DocsModel } from '../http/docs/docs-model.ts'
import { Button } from './components/button.tsx'
import { PageHead } from './components/page-head.tsx'
import { SearchBox } from './components/search-box.tsx'
import { docsFilterText } from './docs-filter-text.ts'
import { DocsOperationCard } from './docs-operation.tsx'
import { Layout } from './layout.tsx'
import { serviceNavigation } from './service-home.tsx'

interface DocsPageProps {
  readonly model: DocsModel
  readonly assetUrl: (name: string) => string
  /** The address that the examples call. */
  readonly baseUrl: string
}

/** The readable API reference of one service, made from the same route table as its OpenAPI document. */
export function DocsPage({ model, assetUrl, baseUrl }: DocsPageProps) {
  return (
    <Layout
      title={`${model.title} API`}
      area={model.title}
      assetUrl={assetUrl}
      navigation={serviceNavigation('/docs')}
      styles={['docs.css']}
      scripts={['filter-list.js']}
    >
      <PageHead
        title={`${model.title} API`}
        lead={model.description}
        actions={<Button href={model.openApiPath}>OpenAPI document</Button>}
      />
      <div class="docs" id="operations">
        <nav class="docs-index" aria-label="Operations">
          <SearchBox label="Filter the operations" placeholder="Filter" filters="operations" />
          {model.groups.map((group) => (
            <IndexGroup key={group.tag} group={group} />
          ))}
        </nav>
        <div class="stack">
          {model.groups.map(({ tag, operations }) => (
            <section key={tag} class="stack" data-filter-group>
              <h2>{tag}</h2>
              {operations.map((operation) => (
                <DocsOperationCard key={operation.id} operation={operation} baseUrl={baseUrl} />
              ))}
            </section>
          ))}
        </div>
      </div>
    </Layout>
  )
}

function IndexGroup({ group: { tag, operations } }: { readonly group: DocsGroup }) {
  return (
    <div data-filter-group>
      <p class="docs-tag">{tag}</p>
      <ul>
        {operations.map((operation) => (
          <li key={operation.id} data-filter-text={docsFilterText(operation)}>
            <a href={`#${operation.id}`}>{operation.summary}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
