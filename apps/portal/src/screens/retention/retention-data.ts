import { queryOptions } from '@tanstack/react-query'
import { api, ifMatch, type Schemas, unwrap } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'

export type Retention = Schemas['Retention']
export type DueRecords = Schemas['DueRecords']

/** Below the key of moderation, whose changes are announced with those of the rules. */
export const retentionQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'moderation', 'retention'],
    queryFn: async (): Promise<Retention> =>
      (await unwrap(api.GET('/api/moderation/retention', { params: { query: { workspaceId } } }))).retention,
  })

const ruleFields = ['noteDays', 'warnDays', 'kickDays', 'muteDays', 'banDays'] as const
export type RuleField = (typeof ruleFields)[number]

/** The days of each action; empty keeps its cases. */
export type RetentionValues = Record<RuleField, string>

export const toValues = (retention: Retention): RetentionValues => ({
  noteDays: retention.noteDays ?? '',
  warnDays: retention.warnDays ?? '',
  kickDays: retention.kickDays ?? '',
  muteDays: retention.muteDays ?? '',
  banDays: retention.banDays ?? '',
})

/** What the next run would delete with these rules. */
export async function previewRules(workspaceId: string, values: RetentionValues): Promise<DueRecords> {
  const rules = Object.fromEntries(
    ruleFields.flatMap((field) => (values[field].trim() === '' ? [] : [[field, values[field]]])),
  )
  const query = { workspaceId, ...rules }
  return (await unwrap(api.GET('/api/moderation/retention/preview', { params: { query } }))).due
}

/** Saves the rules. It fails if they have changed since they were read. @returns the new ones */
export async function saveRules(
  workspaceId: string,
  { version }: Retention,
  values: RetentionValues,
): Promise<Retention> {
  const rules = Object.fromEntries(
    ruleFields.map((field) => [field, values[field].trim() === '' ? null : values[field]]),
  )
  const { retention } = await unwrap(
    api.POST('/api/moderation/retention', { body: { workspaceId, ...rules }, headers: ifMatch(version) }),
  )
  queryClient.setQueryData(retentionQuery(workspaceId).queryKey, retention)
  return retention
}
