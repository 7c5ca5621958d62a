import type { Migration } from '../migration.ts'
import { createAccessTables } from './0001-schema/access.ts'
import { createContentTables } from './0001-schema/content.ts'
import { createAppealTables } from './0001-schema/desk-appeals.ts'
import { createBatchTables, createInsightTables } from './0001-schema/desk-bulk.ts'
import { createErasureTable } from './0001-schema/desk-erasure.ts'
import { createEvidenceTables } from './0001-schema/desk-evidence.ts'
import { createImportTables } from './0001-schema/desk-imports.ts'
import { createLadderTables } from './0001-schema/desk-ladders.ts'
import { createLimitTables } from './0001-schema/desk-limits.ts'
import { createRetentionTables } from './0001-schema/desk-retention.ts'
import { createTeamworkTables } from './0001-schema/desk-teamwork.ts'
import { createInstanceTables } from './0001-schema/instance.ts'
import { createJobTables } from './0001-schema/jobs.ts'
import { createLogTables } from './0001-schema/logs.ts'
import { createModerationTables } from './0001-schema/moderation.ts'
import { createSignInTables } from './0001-schema/sign-in.ts'
import { createWebhookTables } from './0001-schema/webhooks.ts'

/** The schema of version 1.0.0. Every key of a tenant table begins with `workspace_id`, so that the table can be sharded by it. */
export const schema: Migration = {
  name: '0001-schema',
  async up(tools) {
    await createInstanceTables(tools)
    await createSignInTables(tools)
    await createAccessTables(tools)
    await createModerationTables(tools)
    await createLimitTables(tools)
    await createLadderTables(tools)
    await createContentTables(tools)
    await createEvidenceTables(tools)
    await createLogTables(tools)
    await createJobTables(tools)
    await createWebhookTables(tools)
    await createImportTables(tools)
    await createBatchTables(tools)
    await createInsightTables(tools)
    await createTeamworkTables(tools)
    await createAppealTables(tools)
    await createRetentionTables(tools)
    await createErasureTable(tools)
  },
}
