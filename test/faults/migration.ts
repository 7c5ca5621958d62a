import { Database } from 'bun:sqlite'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath, migrations, openDataFolder } from '@reeve/db'
import { seededRandom } from '../bench/seeded-random.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { checkRejectedStarts } from './rejected-starts.ts'
import type { FaultResult, FaultTest } from './support/fault.ts'
import { laterMigrations } from './support/later-version.ts'
import { populate } from './support/populate.ts'

const LATER_VERSION_COMMAND = [process.execPath, join(import.meta.dir, 'support/later-version.ts')]

/** D6: a migration that is killed, and starts that must be rejected without a write. */
export const migration: FaultTest = {
  promise: 'D6',
  title: 'a killed migration leaves a complete version; unsuitable folders are rejected without a write',
  async run(plan, log) {
    const random = seededRandom(plan.seed)
    const killResult = await killsInMigration(plan.cycles ?? (plan.short ? 5 : 100), random, log)
    const rejectedStartResult = await checkRejectedStarts()
    return {
      stats: { ...killResult.stats, ...rejectedStartResult.stats },
      failures: [...killResult.failures, ...rejectedStartResult.failures],
    }
  },
}

/** The index of names. It stores no rows that can be read, only which names contain a gram. */
const NAME_INDEX = 'player_name_gram'

/** Every gram in the index of names, with the number of each name that contains it. */
function readNameIndex(engine: Database): unknown[] {
  engine.run(`create virtual table temp.name_gram using fts5vocab(main, ${NAME_INDEX}, instance)`)
  return engine.query('select term, doc from temp.name_gram order by term, doc').values()
}

/** The schema of a database, the number of rows per table, and the index of names. */
function readContent(file: string): { applied: number; content: string } {
  const engine = new Database(file, { readonly: true })
  try {
    const schema = engine
      .query<{ name: string; type: string; sql: string | null }, []>(
        'select name, type, sql from sqlite_master order by type, name',
      )
      .all()
    const rows = schema
      .filter(({ type, name }) => type === 'table' && name !== NAME_INDEX)
      .map(({ name }) => [name, engine.query(`select count(*) as rows from "${name}"`).get()])
    const accounts = engine.query('select * from account order by id').all()
    const applied = engine.query('select name from migration order by name').all()
    const integrity = engine.query('PRAGMA integrity_check').get()
    return {
      applied: applied.length,
      content: JSON.stringify([schema, rows, accounts, readNameIndex(engine), applied, integrity]),
    }
  } finally {
    engine.close()
  }
}

/**
 * Runs the later version on a folder.
 * @param killAfter milliseconds from its start; null lets it finish
 * @returns its run time in milliseconds
 */
async function runMigration(folder: string, killAfter: number | null): Promise<number> {
  const child = Bun.spawn([...LATER_VERSION_COMMAND, folder], { stdout: 'pipe', stderr: 'inherit' })
  const reader = child.stdout.getReader()
  await reader.read()
  const startedAt = performance.now()
  if (killAfter !== null) {
    await Promise.race([Bun.sleep(killAfter), child.exited])
    child.kill('SIGKILL')
  }
  await child.exited
  return performance.now() - startedAt
}

/** A kill leaves one of the intermediate versions, complete; the next start continues from there. */
async function killsInMigration(
  kills: number,
  random: () => number,
  log: (line: string) => void,
): Promise<FaultResult> {
  const folder = temporaryFolder()
  const targetDir = join(folder.path, 'victim')
  const failures: string[] = []
  const stopsByApplied = new Map<number, number>()
  let unfinished = 0
  try {
    await populate(folder.data, 3)
    const { versions, elapsed } = await readEveryVersion(folder.data, join(folder.path, 'reference'))
    for (let killCount = 1; killCount <= kills && failures.length === 0; killCount++) {
      cpSync(folder.data, targetDir, { recursive: true })
      const killAfterMs = random() * elapsed * 1.1
      await runMigration(targetDir, killAfterMs)
      const { applied, content } = readContent(databasePath(targetDir))
      stopsByApplied.set(applied, (stopsByApplied.get(applied) ?? 0) + 1)
      if (applied < laterMigrations.length) unfinished += 1
      if (content !== versions.get(applied))
        failures.push(`killed after ${killAfterMs} ms: the database is between two versions`)
      await runMigration(targetDir, null)
      const finishedContent = readContent(databasePath(targetDir))
      if (finishedContent.content !== versions.get(laterMigrations.length)) {
        failures.push(`killed after ${killAfterMs} ms: the next start did not complete the migration`)
      }
      rmSync(targetDir, { recursive: true })
      if (killCount % 25 === 0) log(`${killCount} of ${kills} kills in a migration`)
    }
  } finally {
    folder.remove()
  }
  const sortedStops = [...stopsByApplied]
    .sort(([first], [second]) => first - second)
    .map(([applied, count]) => `${applied}: ${count}`)
  return {
    stats: { 'migrations killed': kills, unfinished, 'applied steps found': sortedStops.join(' ') },
    failures,
  }
}

/** The contents of the folder after each step, and the time of all steps in milliseconds. */
async function readEveryVersion(sourceDir: string, scratchDir: string) {
  const versions = new Map<number, string>()
  for (let migrationCount = migrations.length; migrationCount <= laterMigrations.length; migrationCount++) {
    cpSync(sourceDir, scratchDir, { recursive: true })
    const { database } = await openDataFolder(scratchDir, {
      now: Date.now,
      migrations: laterMigrations.slice(0, migrationCount),
    })
    await database.close()
    versions.set(migrationCount, readContent(databasePath(scratchDir)).content)
    rmSync(scratchDir, { recursive: true })
  }
  cpSync(sourceDir, scratchDir, { recursive: true })
  const elapsed = await runMigration(scratchDir, null)
  rmSync(scratchDir, { recursive: true })
  return { versions, elapsed }
}
