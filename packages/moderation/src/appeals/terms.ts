import { DAY_MS, generateAppealCode, type Ports } from '@reeve/core'
import { type Queries, type RecordTable, statement } from '@reeve/db'
import { loadAppealSettings } from './settings.ts'

const termsOfTemplate = statement<{ workspaceId: string; id: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('template')
    .select(['is_appealable', 'appeal_after_days'])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

type AppealTerms = Pick<RecordTable, 'appeal_code' | 'appeal_from' | 'appeal_until'>

/** Of a record that cannot be appealed. */
export const NOT_APPEALABLE: AppealTerms = { appeal_code: null, appeal_from: null, appeal_until: null }

/**
 * Decides whether a new ban can be appealed, from when and until when. Later changes of the settings or of the template do not change that.
 * @param templateId the template that the ban is created with; without one, the settings of the workspace decide
 */
export async function decideAppealTerms(
  db: Queries,
  ports: Ports,
  workspaceId: string,
  templateId: string | null,
): Promise<AppealTerms> {
  const settings = await loadAppealSettings(db, workspaceId)
  const template =
    templateId === null ? undefined : await db.first(termsOfTemplate, { workspaceId, id: templateId })
  if (settings.is_enabled === 0 || template?.is_appealable === 0) return NOT_APPEALABLE
  const now = ports.now()
  const from = now + (template?.appeal_after_days ?? settings.after_days) * DAY_MS
  return {
    appeal_code: generateAppealCode(ports),
    appeal_from: from > now ? from : null,
    appeal_until: settings.window_days === null ? null : from + settings.window_days * DAY_MS,
  }
}
