import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  type AppealQuestion,
  assertSetsField,
  assertVersion,
  type ExpectedVersions,
  type Ports,
} from '@reeve/core'
import {
  type AppealSettingsTable,
  isSameRow,
  type Queries,
  statement,
  type Transaction,
  upsertAll,
} from '@reeve/db'
import type { AppealSettingsInput } from './portal-model.ts'

const settingsByWorkspace = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('appeal_settings').selectAll().where('workspace_id', '=', p.workspaceId),
)
const upsertSettings = statement<AppealSettingsTable>()((sql, p) =>
  upsertAll(sql, 'appeal_settings', p, ['workspace_id']),
)

/** The settings of a workspace that has changed none. */
const toDefaultSettings = (workspaceId: string): AppealSettingsTable => ({
  workspace_id: workspaceId,
  is_enabled: 1,
  after_days: 0,
  window_days: null,
  cooldown_days: 30,
  allows_own_decision: 0,
  allows_files: 0,
  introduction: null,
  questions: '[]',
  updated_at: 0,
  version: 1,
})

/** How a workspace handles appeals. */
export const loadAppealSettings = async (db: Queries, workspaceId: string): Promise<AppealSettingsTable> =>
  (await db.first(settingsByWorkspace, { workspaceId })) ?? toDefaultSettings(workspaceId)

export const parseQuestions = ({ questions }: Pick<AppealSettingsTable, 'questions'>): AppealQuestion[] =>
  JSON.parse(questions)

const presentAppealSettings = (row: AppealSettingsTable) => ({
  enabled: String(row.is_enabled === 1),
  afterDays: String(row.after_days),
  windowDays: row.window_days === null ? null : String(row.window_days),
  cooldownDays: String(row.cooldown_days),
  allowOwnDecision: String(row.allows_own_decision === 1),
  allowFiles: String(row.allows_files === 1),
  introduction: row.introduction,
  questions: parseQuestions(row).map(({ text, isRequired }) => ({ text, required: String(isRequired) })),
  version: String(row.version),
})

export async function readAppealSettings(db: Queries, { workspaceId }: Actor) {
  return { settings: presentAppealSettings(await loadAppealSettings(db, workspaceId)) }
}

/**
 * Changes how a workspace handles appeals. When a ban can be appealed is decided when it is imposed, so that applies to later bans; the
 * rest applies at once.
 * @throws AppError `invalid_request`, `version_mismatch`
 */
export async function changeAppealSettings(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: AppealSettingsInput & { readonly ifMatch: ExpectedVersions },
) {
  const fields = [
    'enabled',
    'afterDays',
    'windowDays',
    'cooldownDays',
    'allowOwnDecision',
    'allowFiles',
    'introduction',
    'questions',
  ]
  assertSetsField(input, fields)
  const before = await loadAppealSettings(tx, actor.workspaceId)
  assertVersion(before, input.ifMatch)
  const { enabled, allowOwnDecision, allowFiles, introduction, questions } = input
  const after: AppealSettingsTable = {
    ...before,
    ...(enabled !== undefined && { is_enabled: enabled ? 1 : 0 }),
    ...(input.afterDays !== undefined && { after_days: input.afterDays }),
    ...(input.windowDays !== undefined && { window_days: input.windowDays }),
    ...(input.cooldownDays !== undefined && { cooldown_days: input.cooldownDays }),
    ...(allowOwnDecision !== undefined && { allows_own_decision: allowOwnDecision ? 1 : 0 }),
    ...(allowFiles !== undefined && { allows_files: allowFiles ? 1 : 0 }),
    ...(introduction !== undefined && { introduction: introduction || null }),
    ...(questions !== undefined && { questions: JSON.stringify(questions) }),
  }
  if (isSameRow(before, after)) return { settings: presentAppealSettings(before) }
  const row = { ...after, updated_at: ports.now(), version: before.version + 1 }
  await tx.run(upsertSettings, row)
  await appendAuditEntry(tx, ports, actor, {
    action: 'appeals.configure',
    target: { kind: 'appeal_settings', id: actor.workspaceId },
    before: presentAppealSettings(before),
    after: presentAppealSettings(row),
  })
  tx.announce({ kind: 'appeal_settings', workspaceId: actor.workspaceId, id: actor.workspaceId })
  return { settings: presentAppealSettings(row) }
}
