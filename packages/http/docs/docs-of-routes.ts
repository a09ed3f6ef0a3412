import { Type, type TSchema } from 'typebox'
import { jsonType } from '../body.ts'
import { isContent } from '../content.ts'
import type { DocsAnswer, DocsModel, DocsOperation, DocsParameter } from './docs-model.ts'
import { propertiesOf } from '../input.ts'
import { bracedPath, operationId, type ApiInfo } from './openapi.ts'
import type { Route, Shape } from '../route.ts'
import { schemaInWords } from './schema-words.ts'
import { statusMeaning } from '../status-meaning.ts'

export function docsModelOf<Deps>(
  routes: readonly Route<Deps>[],
  info: ApiInfo & { readonly openApiPath: string },
): DocsModel {
  const groups = new Map<string, DocsOperation[]>()
  for (const route of routes) {
    const tag = route.tags?.[0] ?? info.title
    groups.set(tag, [...(groups.get(tag) ?? []), operationOf(route)])
  }
  return {
    title: info.title,
    version: info.version,
    description: info.description,
    openApiPath: info.openApiPath,
    groups: [...groups].map(([tag, operations]) => ({ tag, operations })),
  }
}

function operationOf<Deps>(route: Route<Deps>): DocsOperation {
  const { input } = route
  return {
    id: operationId(route),
    method: route.method,
    path: bracedPath(route.path),
    summary: route.summary,
    description: route.description,
    who: route.who.printed,
    parameters: [
      ...parametersOf('path', input?.params),
      ...parametersOf('query', input?.query),
      ...parametersOf('header', input?.headers),
    ],
    body:
      input?.body === undefined ? undefined : { mediaTypes: route.accepts ?? [jsonType], schema: indented(input.body) },
    answers: Object.entries(route.output).map(([status, output]) => answerOf(Number(status), output)),
  }
}

function parametersOf(place: DocsParameter['in'], shape: Shape = {}): DocsParameter[] {
  return Object.entries(propertiesOf(shape)).map(([name, schema]) => ({
    name: name === '*' ? 'rest' : name,
    in: place,
    required: place === 'path' || !Type.IsOptional(schema),
    type: schemaInWords(schema),
    description: 'description' in schema && typeof schema.description === 'string' ? schema.description : undefined,
  }))
}

function answerOf(status: number, output: Route['output'][number]): DocsAnswer {
  const meaning = statusMeaning(status)
  if (isContent(output)) return { status, meaning, mediaType: output.mediaType, schema: undefined }
  return { status, meaning, mediaType: jsonType, schema: indented(output) }
}

const indented = (schema: TSchema) => JSON.stringify(schema, undefined, 2)
