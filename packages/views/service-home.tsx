import { Card } from './components/card.tsx'
import { CodeBlock } from './components/code-block.tsx'
import { PageHead } from './components/page-head.tsx'
import { StatusPill } from './components/badge.tsx'
import { Button } from './components/button.tsx'
import { Layout } from './layout.tsx'
import type { LayoutProps } from './layout.tsx'

export interface ServiceHomeModel {
  readonly name: string
  /** One or two sentences: what the service does and for whom. */
  readonly purpose: string
  readonly version: string
  readonly healthy: boolean
  /** What a newcomer should try, in this order. */
  readonly firstSteps: readonly FirstStep[]
  readonly links?: readonly ServiceLink[]
  readonly otherServices: readonly ServiceLink[]
}

export interface FirstStep {
  readonly title: string
  readonly text: string
  readonly command?: string
  readonly href?: string
}

interface ServiceLink {
  readonly label: string
  readonly href: string
  readonly text: string
}

/** The front page of a service: what it is, how it is, and where to go next. */
export function ServiceHome({ model, assetUrl }: { readonly model: ServiceHomeModel } & Pick<LayoutProps, 'assetUrl'>) {
  const { name, purpose, version, healthy, firstSteps, links = [], otherServices } = model
  return (
    <Layout title={name} area={name} assetUrl={assetUrl} navigation={serviceNavigation('/')}>
      <PageHead
        title={name}
        lead={purpose}
        actions={
          <Button href="/docs" look="primary">
            Read the API
          </Button>
        }
      />
      <p class="facts">
        <StatusPill tone={healthy ? 'good' : 'bad'}>{healthy ? 'Up' : 'Down'}</StatusPill>
        <span>Version {version}</span>
      </p>
      <div class="columns">
        <Card title="Try this first">
          <ol class="steps">
            {firstSteps.map((step) => (
              <li key={step.title}>
                <h3>{step.href === undefined ? step.title : <a href={step.href}>{step.title}</a>}</h3>
                <p>{step.text}</p>
                {step.command !== undefined && <CodeBlock label={`Command: ${step.title}`} code={step.command} />}
              </li>
            ))}
          </ol>
        </Card>
        <div class="stack">
          <Card title="Here">
            <Links links={[...links, ...ownLinks]} />
          </Card>
          {otherServices.length > 0 && (
            <Card title="The other services">
              <Links links={otherServices} />
            </Card>
          )}
        </div>
      </div>
    </Layout>
  )
}

/** The same three places on every service. */
export function serviceNavigation(current: string) {
  const item = (label: string, href: string) => ({ label, href, current: href === current })
  return [item('Overview', '/'), item('API', '/docs'), item('Health', '/actuator/health')]
}

const ownLinks: readonly ServiceLink[] = [
  { label: 'API reference', href: '/docs', text: 'Every operation, who may call it, and an example' },
  { label: 'Health', href: '/actuator/health', text: 'What a load balancer asks' },
]

function Links({ links }: { readonly links: readonly ServiceLink[] }) {
  return (
    <ul class="link-list">
      {links.map(({ label, href, text }) => (
        <li key={href}>
          <a href={href}>{label}</a>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
