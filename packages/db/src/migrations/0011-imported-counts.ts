import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { encodeWord } from '../words.ts'

/** The imports whose records a workspace contains, also one that is a copy: then only the workspace that was archived has them in its log. */
const IMPORTS = sql`select distinct workspace_id, actor_id from record where actor_kind = ${encodeWord('system')}`

const COUNTS = ['bans', 'mutes', 'warnings', 'kicks', 'lifted'] as const

const joinColumns = (toSql: (column: string) => string) => sql.raw(COUNTS.map(toSql).join(', '))

/** Counts imported records by the actor that stands for all imports, where version 1.0.0 has counted them by their import. */
export const importedCounts: Migration = {
  name: '0011-imported-counts',
  async up({ db, idOrText }) {
    // `IMPORTS_ACTOR`, as it is stored.
    const allImports = sql`cast(${new Uint8Array(16)} as ${sql.raw(String(idOrText))})`
    await sql`insert into record_count (workspace_id, day, actor_id, ${sql.raw(COUNTS.join(', '))})
      select workspace_id, day, ${allImports}, ${joinColumns((column) => `sum(${column})`)}
      from record_count where (workspace_id, actor_id) in (${IMPORTS})
      group by workspace_id, day
      on conflict (workspace_id, day, actor_id) do update
      set ${joinColumns((column) => `${column} = record_count.${column} + excluded.${column}`)}`.execute(db)
    await sql`delete from record_count where (workspace_id, actor_id) in (${IMPORTS})`.execute(db)
  },
}
