import { page, redirect } from '../../../../packages/http/answer.ts'
import { formType } from '../../../../packages/http/body.ts'
import { html, nothing } from '../../../../packages/http/content.ts'
import { missing } from '../../../../packages/faults/fault.ts'
import { object, oneOf, optional, text } from '../../../../packages/http/fields.ts'
import type { Visitor } from '../../../../packages/sign-in/session.ts'
import { visiting } from '../../../../packages/sign-in/visiting.ts'
import { openedBy, OpenedByContext } from '../../../../packages/views/opened-by.ts'
import { renderFragment, renderPage } from '../../../../packages/views/render.ts'
import { channelIds, type ChannelId } from '../../pipeline/channel.ts'
import { channelOf, channelParams } from '../../routes/channel-param.ts'
import { framingErrorFactsOf } from '../../store/framing-errors.ts'
import { ChannelFigures, ChannelPage, type ChannelModel } from './channel-page.tsx'
import { readChannels, type ChannelRow } from './channel-rows.ts'
import { ChannelsPage, ChannelTable } from './channels-page.tsx'
import { consoleRoute, type ConsoleDeps } from '../deps.ts'

const tags = ['Console']
const switched = { switched: optional(oneOf(channelIds)) }

export const channelsPage = consoleRoute({
  method: 'GET',
  path: '/console/channels',
  who: visiting('ADMIN'),
  tags,
  summary: 'The eight channels',
  input: { query: switched },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor }, deps) => {
    const { addresses, assetUrl } = deps
    const rows = await readChannels(deps)
    const model = { rows, switched: rows.find((row) => isSwitched(row, query, visitor)) }
    return page(renderPage(<ChannelsPage model={{ visitor, addresses, assetUrl, ...model }} />))
  },
})

export const channelsNow = consoleRoute({
  method: 'GET',
  path: '/console/channels/now',
  who: visiting('ADMIN'),
  tags,
  summary: 'The channels’ figures, for the page to put in place',
  input: {
    query: { openedBy: text({ max: 64, optional: true, description: 'Who opened the page, as its forms say.' }) },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: { caller } }, deps) => {
    const rows = await readChannels(deps)
    // The page stays theirs who opened it, whoever has signed in since.
    return page(
      renderFragment(
        <OpenedByContext.Provider value={query.openedBy ?? openedBy(caller.subject)}>
          <ChannelTable rows={rows} />
        </OpenedByContext.Provider>,
      ),
    )
  },
})

export const channelPage = consoleRoute({
  method: 'GET',
  path: '/console/channels/:channelId',
  who: visiting('ADMIN'),
  tags,
  summary: 'One channel with its figures',
  input: { params: channelParams, query: switched },
  output: { 200: html, 302: nothing },
  run: async ({ params, query, caller: visitor }, deps) => {
    const { addresses, assetUrl } = deps
    const one = await readChannel(channelOf(params.channelId, deps.channels), deps)
    const wasSwitched = isSwitched(one.row, query, visitor)
    return page(renderPage(<ChannelPage model={{ visitor, addresses, assetUrl, ...one, wasSwitched }} />))
  },
})

export const channelNow = consoleRoute({
  method: 'GET',
  path: '/console/channels/:channelId/now',
  who: visiting('ADMIN'),
  tags,
  summary: 'One channel’s figures, for the page to put in place',
  input: { params: channelParams },
  output: { 200: html, 302: nothing },
  run: async ({ params }, deps) => {
    return page(
      renderFragment(<ChannelFigures {...await readChannel(channelOf(params.channelId, deps.channels), deps)} />),
    )
  },
})

export const switchChannel = consoleRoute({
  method: 'POST',
  path: '/console/channels/:channelId/:step',
  who: visiting('ADMIN'),
  tags,
  summary: 'Pauses or resumes a channel',
  accepts: [formType],
  input: {
    params: { ...channelParams, step: oneOf(['pause', 'resume']) },
    body: object({ from: oneOf(['list', 'one']) }),
  },
  output: { 303: nothing },
  run: async ({ params: { channelId, step }, body, caller: { caller }, request }, { channels, audited }) => {
    const id = channelOf(channelId, channels)
    const action = { did: `${step}-channel`, to: { kind: 'channel', id }, caller, request } as const
    await audited(action, () => channels[step](id, caller.subject))
    return redirect(303, `${body.from === 'list' ? '/console/channels' : `/console/channels/${id}`}?switched=${id}`)
  },
})

/** Anybody can write an address: who has switched a channel is what the log of its switches knows. */
const isSwitched = (
  { channel, lastChange }: ChannelRow,
  asked: { readonly switched?: ChannelId },
  { caller }: Visitor,
): boolean => channel.id === asked.switched && lastChange?.by === caller.subject

async function readChannel(id: ChannelId, deps: ConsoleDeps): Promise<Pick<ChannelModel, 'row' | 'stats' | 'noise'>> {
  const [rows, stats, noise] = await Promise.all([
    readChannels(deps),
    deps.channels.stats(id),
    framingErrorFactsOf(id, deps.database),
  ])
  const row = rows.find(({ channel }) => channel.id === id)
  if (row === undefined) throw missing('There is no such channel.')
  return { row, stats, noise }
}
