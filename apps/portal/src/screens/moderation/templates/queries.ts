import { type LadderStep, type Measure, type RecordAction, recordActions } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../../api/client.ts'
import { createNetworkError } from '../../../api/error.ts'
import { moderationKey } from '../queries.ts'

/** A reason template. */
export interface Template extends Readonly<Schemas['Template']> {
  readonly ladderName: string | null
}
/** What a template leads to for a player. */
export type Preview = Schemas['Preview']

/** An escalation ladder with parsed numbers. */
export interface Ladder extends Omit<Schemas['Ladder'], 'steps' | 'windowDays'> {
  readonly windowDays: number | null
  readonly steps: readonly LadderStep[]
}

/** How many templates have a key: 1 to 9. */
export const TEMPLATE_KEYS = 9

/** More than a workspace can have that are not archived. */
const LIMIT = '200'

const toNumber = (text: string | null): number | null => (text === null ? null : Number(text))

/** A ladder of a response. */
export const parseLadder = ({ steps, windowDays, ...ladder }: Schemas['Ladder']): Ladder => ({
  ...ladder,
  windowDays: toNumber(windowDays),
  steps: steps.map((step) => ({
    count: Number(step.count),
    action: step.action as RecordAction,
    durationSeconds: toNumber(step.durationSeconds),
    decayDays: toNumber(step.decayDays),
  })),
})

const toQuery = (workspaceId: string, archived: boolean) => ({
  workspaceId,
  limit: LIMIT,
  ...(archived && { archived: 'true' }),
})

/** The templates of a response, each with the name of its ladder. */
export const withLadderNames = ({
  templates,
  ladders,
}: {
  readonly templates: readonly Schemas['Template'][]
  readonly ladders: readonly Schemas['LadderName'][]
}): readonly Template[] =>
  templates.map((template) => ({
    ...template,
    ladderName: ladders.find(({ id }) => id === template.ladderId)?.name ?? null,
  }))

/** The templates of a workspace, in their order. */
export const templatesQuery = (workspaceId: string, archived = false) =>
  queryOptions({
    queryKey: moderationKey(workspaceId, 'templates', archived),
    queryFn: async (): Promise<readonly Template[]> => {
      const query = toQuery(workspaceId, archived)
      const response = await unwrap(api.GET('/api/moderation/templates', { params: { query } }))
      if (!('templates' in response)) throw createNetworkError()
      return withLadderNames(response)
    },
  })

/** The ladders of a workspace, by name. */
export const laddersQuery = (workspaceId: string, archived = false) =>
  queryOptions({
    queryKey: moderationKey(workspaceId, 'ladders', archived),
    queryFn: async (): Promise<readonly Ladder[]> => {
      const query = toQuery(workspaceId, archived)
      const response = await unwrap(api.GET('/api/moderation/ladders', { params: { query } }))
      if (!('ladders' in response)) throw createNetworkError()
      return response.ladders.map(parseLadder)
    },
  })

/** A template as it was in one version. */
export const templateVersionQuery = (workspaceId: string, id: string, version: string) =>
  queryOptions({
    queryKey: moderationKey(workspaceId, 'template', id, version),
    queryFn: async (): Promise<{ readonly name: string }> => {
      const query = { workspaceId, id, limit: LIMIT }
      const response = await unwrap(api.GET('/api/moderation/templates', { params: { query } }))
      if (!('template' in response)) throw createNetworkError()
      const { template, versions } = response
      return versions.find((earlier) => earlier.version === version) ?? template
    },
  })

/** What a template leads to for a player now. */
export const previewQuery = (workspaceId: string, userId: string, templateId: string) =>
  queryOptions({
    queryKey: moderationKey(workspaceId, 'preview', userId, templateId),
    queryFn: async (): Promise<Preview> => {
      const query = { workspaceId, userId, templateId }
      return (await unwrap(api.GET('/api/moderation/preview', { params: { query } }))).preview
    },
  })

/** What a preview decides; null for a template without a ladder. */
export function toMeasure({ action, durationSeconds }: Preview): Measure | null {
  const known = recordActions.find((name) => name === action)
  return known ? { action: known, durationSeconds: toNumber(durationSeconds) } : null
}
