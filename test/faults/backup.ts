import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createAccount } from '@reeve/auth'
import { type Actor, anonymousActor, permissions } from '@reeve/core'
import { databasePath, openDataFolder } from '@reeve/db'
import { seededRandom } from '../bench/random.ts'
import { temporaryFolder } from '../support/folder.ts'
import { BINARY, reeve } from '../support/program.ts'
import { backupsUnderLoad } from './backup-load.ts'
import { backupsIn, faultsIn, faultsInBackup, historyOf, isSame, reeveKilled } from './support/backups.ts'
import type { Fault } from './support/fault.ts'
import { populate, ports } from './support/population.ts'

/** D5: backups of an instance under load, and kills in the middle of a backup and of a restore. */
export const backup: Fault = {
  promise: 'D5',
  title:
    'backups under load are moments that were; a kill in a backup or a restore leaves the old or the new',
  async run(plan, say) {
    const chance = seededRandom(plan.seed)
    const under = await backupsUnderLoad(plan.cycles ?? (plan.short ? 3 : 40), chance, say)
    const kills = plan.cuts ?? (plan.short ? 6 : 150)
    const making = await killsInBackup(kills, chance, say)
    const putting = await killsInRestore(kills, chance, say)
    return {
      figures: { ...under.figures, ...making.figures, ...putting.figures },
      broken: [...under.broken, ...making.broken, ...putting.broken],
    }
  },
}

type Part = Awaited<ReturnType<Fault['run']>>

/** Whatever has the name of a backup is whole, and the next backup clears up. */
async function killsInBackup(
  kills: number,
  chance: () => number,
  say: (line: string) => void,
): Promise<Part> {
  const folder = temporaryFolder()
  const to = join(folder.path, 'backups')
  const broken: string[] = []
  let hit = 0
  try {
    await populate(folder.data, 4)
    const history = historyOf(databasePath(folder.data))
    for (let done = 1; done <= kills && broken.length === 0; done++) {
      const args = ['backup', '--to', `${to}/`, '--keep', '3', '--json']
      const { exitCode, at } = await reeveKilled(args, folder.data, chance)
      if (exitCode !== 0) hit += 1
      for (const file of backupsIn(to)) {
        broken.push(...(await faultsInBackup(file)).map((found) => `backup killed at ${at}: ${found}`))
        if (!isSame(historyOf(file), history))
          broken.push(`backup killed at ${at}: ${file} holds something else`)
      }
      if (done % 50 === 0) say(`${done} of ${kills} kills in a backup`)
    }
    const last = await reeve(['backup', '--to', `${to}/`, '--keep', '3'], {
      dataDir: folder.data,
      program: BINARY,
    })
    if (last.exitCode !== 0) broken.push(`the backup after the kills failed: ${last.err}`)
    const left = readdirSync(to).filter((name) => !/^reeve-.*\.db(\.sha256)?$/.test(name))
    if (left.length > 0) broken.push(`left behind after the next backup: ${left.join(', ')}`)
    if (backupsIn(to).length > 3) broken.push(`${backupsIn(to).length} backups were kept instead of 3`)
  } finally {
    folder.remove()
  }
  return { figures: { 'backups killed': hit }, broken }
}

/** What is opened next is all of the old or all of the new; the old one is never lost; a second restore succeeds. */
async function killsInRestore(
  kills: number,
  chance: () => number,
  say: (line: string) => void,
): Promise<Part> {
  const folder = temporaryFolder()
  const from = join(folder.path, 'backup.db')
  const victim = join(folder.path, 'victim')
  const broken: string[] = []
  const figures = { 'restores killed': 0, 'old in place': 0, 'new in place': 0 }
  try {
    await populate(folder.data, 2)
    await reeve(['backup', '--to', from], { dataDir: folder.data, program: BINARY })
    const before = join(folder.path, 'before')
    await leaveLog(folder.data, before)
    const [older, newer] = [historyOf(from), historyOf(databasePath(before))]
    if (isSame(older, newer)) broken.push('the backup and the folder do not differ: this proves nothing')
    for (let done = 1; done <= kills && broken.length === 0; done++) {
      cpSync(before, victim, { recursive: true, force: true })
      const { exitCode, at } = await reeveKilled(['restore', '--from', from], victim, chance)
      const found = await historyAfterStart(victim)
      const where = `restore killed at ${at}`
      if (exitCode !== 0) figures['restores killed'] += 1
      if (isSame(found, newer)) figures['old in place'] += 1
      else if (isSame(found, older)) figures['new in place'] += 1
      else
        broken.push(
          `${where}: neither the old nor the new is in place: ${found.length} rows, ${found.at(-1)}`,
        )
      if (exitCode === 0 && !isSame(found, older)) broken.push(`${where}: it said it was done, and was not`)
      broken.push(...(await faultsIn(databasePath(victim))).map((fault) => `${where}: ${fault}`))
      if (isSame(found, older)) {
        if (!asides(victim).some((file) => isSame(historyOf(file), newer)))
          broken.push(`${where}: the old one is lost`)
      } else {
        const again = await reeve(['restore', '--from', from], { dataDir: victim, program: BINARY })
        if (again.exitCode !== 0) broken.push(`${where}: the next one failed: ${again.err}`)
        if (!isSame(historyOf(databasePath(victim)), older)) broken.push(`${where}: the next one did nothing`)
      }
      if (done % 50 === 0) say(`${done} of ${kills} kills in a restore`)
      await Bun.$`rm -rf ${victim}`.quiet()
    }
  } finally {
    folder.remove()
  }
  return { figures, broken }
}

/** Makes a further change in a folder, and copies it with the change in the log alone, as a killed server leaves it. */
async function leaveLog(from: string, to: string): Promise<void> {
  const { database } = await openDataFolder(from, ports.now)
  const actor: Actor = { ...anonymousActor, id: 'faults', name: 'faults', permissions: new Set(permissions) }
  await database.write((tx) =>
    createAccount(tx, ports, actor, {
      username: 'later',
      passwordHash: 'nobody signs in',
      isOperator: false,
    }),
  )
  cpSync(from, to, { recursive: true })
  await database.close()
}

/** Starts on a folder as a server would, and tells what it then holds; the reason where it does not start. */
async function historyAfterStart(folder: string): Promise<string[]> {
  try {
    const { database } = await openDataFolder(folder, ports.now)
    await database.close()
  } catch (error) {
    return [(error as Error).message]
  }
  return historyOf(databasePath(folder))
}

const asides = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^reeve\.db\.before-restore-[0-9TZ]+$/.test(name))
    .map((name) => join(folder, name))
