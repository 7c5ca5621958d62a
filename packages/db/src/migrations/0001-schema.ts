import type { Migration } from '../migration.ts'
import { createAccessTables } from './0001-schema/access.ts'
import { createContentTables } from './0001-schema/content.ts'
import { createInstanceTables } from './0001-schema/instance.ts'
import { createJobTables } from './0001-schema/jobs.ts'
import { createLogTables } from './0001-schema/logs.ts'
import { createModerationTables } from './0001-schema/moderation.ts'

/** The schema of version 1.0.0. Every key of a tenant table begins with `workspace_id`, so that the table can be sharded by it. */
export const schema: Migration = {
  name: '0001-schema',
  async up(tools) {
    await createInstanceTables(tools)
    await createAccessTables(tools)
    await createModerationTables(tools)
    await createContentTables(tools)
    await createLogTables(tools)
    await createJobTables(tools)
  },
}
