import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../api/client.ts'
import { createNetworkError } from '../../api/error.ts'
import { pagesQuery } from '../../api/pages.ts'
import { queryClient } from '../../api/query-client.ts'
import type { SelectedCase } from '../../app/batch-targets.ts'
import type { ActorNames } from '../../components/actor-names.ts'
import { formatNumber, pluralize } from '../../format/number.ts'

export type Batch = Schemas['Batch']
export type BatchPreview = Schemas['BatchPreview']
export type PreviewResult = BatchPreview['results'][number]
/** What became of a target; only a preview says what it replaces, and only a batch says for what nothing is left to do. */
export type BatchResult = Omit<PreviewResult, keyof PreviewedSanction> &
  Partial<PreviewedSanction> & { readonly settled?: string | null }
type PreviewedSanction = Pick<PreviewResult, 'replacesCaseNumber' | 'replacesExpiresAt'>

/** Below the key of moderation, whose live updates announce batches too. */
const batchesKey = (workspaceId: string, ...rest: readonly unknown[]) => [
  workspaceId,
  'moderation',
  'batches',
  ...rest,
]

const fetchBatches = async (query: { workspaceId: string; cursor?: string }) => {
  const page = await unwrap(api.GET('/api/moderation/batches', { params: { query } }))
  if (!('batches' in page)) throw createNetworkError()
  return page
}

/** The batches of a workspace, newest first. */
export const batchesQuery = (workspaceId: string) =>
  pagesQuery(batchesKey(workspaceId), (cursor) => fetchBatches({ workspaceId, ...cursor }))

const fetchResults = async (query: {
  workspaceId: string
  id: string
  cursor?: string
  limit: string
  result?: 'failed'
}) => {
  const page = await unwrap(api.GET('/api/moderation/batches', { params: { query } }))
  if (!('results' in page)) throw createNetworkError()
  return page
}

const RESULTS_PER_PAGE = '100'

/** The results of a batch, page by page; each page has the batch too. */
export const resultsQuery = (workspaceId: string, id: string) =>
  pagesQuery(batchesKey(workspaceId, id), (cursor) =>
    fetchResults({ workspaceId, id, limit: RESULTS_PER_PAGE, ...cursor }),
  )

/** What a form for a batch starts from. */
export interface BatchStart {
  /** Undefined for the usual action. */
  readonly action?: string | undefined
  readonly cases: readonly SelectedCase[]
  readonly userIds: readonly string[]
}

/** What a batch left alone and can still act on: its action, and the cases or else the players. */
export const leftAloneQuery = (workspaceId: string, { id, action }: Batch) =>
  queryOptions({
    queryKey: batchesKey(workspaceId, id, 'left-alone'),
    queryFn: async (): Promise<BatchStart> => {
      const cases: SelectedCase[] = []
      const userIds = new Set<string>()
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = { limit: RESULTS_PER_PAGE, ...(cursor !== '' && { cursor }) }
        const { results, nextCursor }: Awaited<ReturnType<typeof fetchResults>> = await fetchResults({
          workspaceId,
          id,
          result: 'failed',
          ...page,
        })
        for (const { target, recordId, userId, settled } of results) {
          if (settled !== null) continue
          if (userId !== null && recordId === target) cases.push({ recordId, userId })
          userIds.add(userId ?? target)
        }
        cursor = nextCursor
      }
      return { action: action ?? undefined, cases, userIds: [...userIds] }
    },
  })

const POLL_MS = 1000

/** A batch, read again while it runs. */
export const batchQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: batchesKey(workspaceId, id, 'progress'),
    queryFn: async () => (await fetchResults({ workspaceId, id, limit: '1' })).batch,
    refetchInterval: ({ state: { data } }) => (data && data.finishedAt === null ? POLL_MS : false),
  })

/** The names of those who changed cases recently, in whatever way. */
export const recentChangersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: batchesKey(workspaceId, 'changers'),
    queryFn: async (): Promise<ActorNames> => {
      const query = { workspaceId, changed: 'true', limit: '100' }
      const { actors } = await unwrap(api.GET('/portal/api/actors', { params: { query } }))
      return new Map(actors.map(({ id, name }) => [id, name]))
    },
  })

/** The body of `POST /api/moderation/batches`, without the workspace. */
export type BatchRequest = Readonly<Record<string, string>>

/** Finds out what a batch would do. @throws ApiError */
export async function previewBatch(workspaceId: string, request: BatchRequest): Promise<BatchPreview> {
  const body = { workspaceId, ...request, dryRun: 'true' }
  const response = await unwrap(api.POST('/api/moderation/batches', { body }))
  if (!('preview' in response)) throw createNetworkError()
  return response.preview
}

/** Identifies what a batch would impose on whom, and which sanctions it would replace; empty if it imposes nothing. */
export const toPlanKey = ({ results }: BatchPreview): string =>
  results
    .filter(({ action, caseNumber }) => action !== null && caseNumber === null)
    .map(({ target, action, durationSeconds, step, replacesCaseNumber, replacesExpiresAt }) =>
      [target, action, durationSeconds, step, replacesCaseNumber, replacesExpiresAt].join(),
    )
    .join('\n')

/** Starts a batch, or cancels one. @throws ApiError */
export async function submitBatch(workspaceId: string, request: BatchRequest): Promise<Batch> {
  const body = { workspaceId, ...request }
  const response = await unwrap(api.POST('/api/moderation/batches', { body }))
  if (!('batch' in response)) throw createNetworkError()
  await queryClient.invalidateQueries({ queryKey: batchesKey(workspaceId) })
  return response.batch
}

const kindLabels: Readonly<Record<string, string>> = { undo: 'Undo', reversal: 'Reversal' }

const actionLabels: Readonly<Record<string, string>> = {
  ban: 'Ban',
  mute: 'Mute',
  kick: 'Kick',
  warn: 'Warn',
  note: 'Note',
  unban: 'Unban',
  unmute: 'Unmute',
  revoke: 'Revoke',
  comment: 'Comment',
  evidence: 'Add evidence',
  attach_file: 'Attach a file',
  remove_file: 'Remove a file',
  edit: 'Edit',
  extend: 'Change the expiry',
  acknowledge: 'Mark as seen',
  redact: 'Redact',
  restore: 'Revert',
}

/** `Ban`, or the action as it is. */
export const formatAction = (action: string): string => actionLabels[action] ?? action

/** `Ban · 120 targets`; `By ladder` if a ladder decides for each player. */
export const describeBatch = ({ kind, action, total }: Batch): string =>
  `${kindLabels[kind] ?? (action === null ? 'By ladder' : formatAction(action))} · ${pluralize(total, kind === 'actions' ? 'target' : 'case')}`

const stateLabels: Readonly<Record<string, string>> = {
  queued: 'Waiting',
  running: 'Running',
  succeeded: 'Finished',
  failed: 'Stopped',
  cancelled: 'Cancelled',
}

export const formatState = ({ state, reversedBy }: Batch): string =>
  reversedBy === null ? (stateLabels[state] ?? state) : 'Reversed'

const countLabels = {
  done: { succeeded: 'changed', unchanged: 'needed no change', failed: 'refused or left alone' },
  planned: { succeeded: 'will change', unchanged: 'will need no change', failed: 'will be left alone' },
} as const

/** `118 changed, 2 refused or left alone`; of a preview `118 will change, 2 will be left alone`. */
export function formatCounts(
  { succeeded, unchanged, failed }: Pick<Batch, 'succeeded' | 'unchanged' | 'failed'>,
  tense: keyof typeof countLabels = 'done',
): string {
  const labels = countLabels[tense]
  return [
    `${formatNumber(succeeded)} ${labels.succeeded}`,
    ...(unchanged === '0' ? [] : [`${formatNumber(unchanged)} ${labels.unchanged}`]),
    ...(failed === '0' ? [] : [`${formatNumber(failed)} ${labels.failed}`]),
  ].join(', ')
}

/** How many targets are done, in percent. */
export function toPercent({ total, succeeded, unchanged, failed }: Batch): number {
  const done = Number(succeeded) + Number(unchanged) + Number(failed)
  return total === '0' ? 0 : Math.floor((done / Number(total)) * 100)
}
