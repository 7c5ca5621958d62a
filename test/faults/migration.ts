import { Database } from 'bun:sqlite'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { databasePath, migrations, openDataFolder } from '@reeve/db'
import { seededRandom } from '../bench/random.ts'
import { temporaryFolder } from '../support/folder.ts'
import { refusals } from './refusals.ts'
import type { Fault, Outcome } from './support/fault.ts'
import { laterMigrations } from './support/migrating.ts'
import { populate } from './support/population.ts'

const LATER_VERSION = [process.execPath, join(import.meta.dir, 'support/migrating.ts')]

/** D6: a migration that is killed, and whatever must be refused with nothing written. */
export const migration: Fault = {
  promise: 'D6',
  title: 'a killed migration leaves the old or the new; what does not fit is refused, and nothing is written',
  async run(plan, say) {
    const chance = seededRandom(plan.seed)
    const killed = await killsInMigration(plan.cycles ?? (plan.short ? 5 : 100), chance, say)
    const refused = await refusals()
    return {
      figures: { ...killed.figures, ...refused.figures },
      broken: [...killed.broken, ...refused.broken],
    }
  },
}

/** Everything in a database: its schema, and how many rows each table has. */
function contentOf(file: string): { applied: number; content: string } {
  const engine = new Database(file, { readonly: true })
  try {
    const schema = engine
      .query<{ name: string; type: string; sql: string | null }, []>(
        'select name, type, sql from sqlite_master order by type, name',
      )
      .all()
    const rows = schema
      .filter(({ type }) => type === 'table')
      .map(({ name }) => [name, engine.query(`select count(*) as rows from "${name}"`).get()])
    const accounts = engine.query('select * from account order by id').all()
    const applied = engine.query('select name from migration order by name').all()
    const whole = engine.query('PRAGMA integrity_check').get()
    return {
      applied: applied.length,
      content: JSON.stringify([schema, rows, accounts, applied, whole]),
    }
  } finally {
    engine.close()
  }
}

/**
 * Runs the later version on a folder.
 * @param killAfter milliseconds from its beginning; null lets it end by itself
 * @returns how long it took from its beginning, in milliseconds
 */
async function migrateIn(folder: string, killAfter: number | null): Promise<number> {
  const child = Bun.spawn([...LATER_VERSION, folder], { stdout: 'pipe', stderr: 'inherit' })
  const reader = child.stdout.getReader()
  await reader.read()
  const since = performance.now()
  if (killAfter !== null) {
    await Promise.race([Bun.sleep(killAfter), child.exited])
    child.kill('SIGKILL')
  }
  await child.exited
  return performance.now() - since
}

/** Whatever a kill leaves is one of the versions in between, whole; the next start goes on from there to the last. */
async function killsInMigration(
  kills: number,
  chance: () => number,
  say: (line: string) => void,
): Promise<Outcome> {
  const folder = temporaryFolder()
  const victim = join(folder.path, 'victim')
  const broken: string[] = []
  const stops = new Map<number, number>()
  let unfinished = 0
  try {
    await populate(folder.data, 3)
    const { versions, took } = await everyVersion(folder.data, join(folder.path, 'reference'))
    for (let done = 1; done <= kills && broken.length === 0; done++) {
      cpSync(folder.data, victim, { recursive: true })
      const after = chance() * took * 1.1
      await migrateIn(victim, after)
      const { applied, content } = contentOf(databasePath(victim))
      stops.set(applied, (stops.get(applied) ?? 0) + 1)
      if (applied < laterMigrations.length) unfinished += 1
      if (content !== versions.get(applied))
        broken.push(`killed after ${after} ms: it is between two versions`)
      await migrateIn(victim, null)
      const finished = contentOf(databasePath(victim))
      if (finished.content !== versions.get(laterMigrations.length)) {
        broken.push(`killed after ${after} ms: the next start did not bring it up to date`)
      }
      rmSync(victim, { recursive: true })
      if (done % 25 === 0) say(`${done} of ${kills} kills in a migration`)
    }
  } finally {
    folder.remove()
  }
  const seen = [...stops]
    .sort(([one], [other]) => one - other)
    .map(([applied, times]) => `${applied}: ${times}`)
  return {
    figures: { 'migrations killed': kills, unfinished, 'found by steps applied': seen.join(' ') },
    broken,
  }
}

/** What the folder holds after each of the steps, and how long all of them take, in milliseconds. */
async function everyVersion(from: string, scratch: string) {
  const versions = new Map<number, string>()
  for (let count = migrations.length; count <= laterMigrations.length; count++) {
    cpSync(from, scratch, { recursive: true })
    const { database } = await openDataFolder(scratch, Date.now, laterMigrations.slice(0, count))
    await database.close()
    versions.set(count, contentOf(databasePath(scratch)).content)
    rmSync(scratch, { recursive: true })
  }
  cpSync(from, scratch, { recursive: true })
  const took = await migrateIn(scratch, null)
  rmSync(scratch, { recursive: true })
  return { versions, took }
}
