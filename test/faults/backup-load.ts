import { join } from 'node:path'
import { databasePath } from '@reeve/db'
import { temporaryFolder } from '../support/folder.ts'
import { BINARY, type Ended, reeve, serve } from '../support/program.ts'
import { backupsIn, faultsInBackup, historyOf, isSame, requestsIn } from './support/backups.ts'
import { differences } from './support/check.ts'
import { type Outcome, someOf } from './support/fault.ts'
import { type Place, populate } from './support/population.ts'
import { SERVER_ENVIRONMENT } from './support/server.ts'
import { credentials, type Ledger, openLoad } from './support/writers.ts'

const WRITERS = 64
const WORKSPACES = 8
/** How many of the backups that were made under load are restored and served. */
const RESTORED = 4

/** A backup, and what had been answered when it was asked for. */
interface Taken {
  readonly acknowledged: ReadonlySet<string>
  readonly ended: Ended
}

/**
 * Makes backups, one after the other, beside a server that 64 writers keep busy. Each must hold exactly the first so many
 * of all changes, by the order in which the server committed them, and everything that had been answered before.
 */
export async function backupsUnderLoad(
  count: number,
  chance: () => number,
  say: (line: string) => void,
): Promise<Outcome> {
  const folder = temporaryFolder()
  const to = join(folder.path, 'backups')
  const broken: string[] = []
  const figures = {
    backups: 0,
    acknowledged: 0,
    'not a moment': 0,
    'acknowledged before, missing': 0,
    restored: 0,
  }
  try {
    const places = await populate(folder.data, WORKSPACES)
    const load = openLoad(places, WRITERS, chance)
    const server = await serve({ dataDir: folder.data, program: BINARY, env: SERVER_ENVIRONMENT })
    let isOver = false
    const loading = load.run(server.url, () => isOver)
    const taken: Taken[] = []
    for (let made = 0; made < count; made++) {
      await Bun.sleep(chance() * 200)
      const acknowledged = new Set(load.ledger.acknowledged.map(({ id }) => id))
      const args = ['backup', '--to', `${to}/`, '--keep', '0', '--json']
      taken.push({ acknowledged, ended: await reeve(args, { dataDir: folder.data, program: BINARY }) })
      if ((made + 1) % 10 === 0)
        say(`${made + 1} of ${count} backups, ${load.ledger.acknowledged.length} writes acknowledged`)
    }
    isOver = true
    await loading
    await load.settle(server.url)
    figures.acknowledged = load.ledger.acknowledged.length
    broken.push(...someOf('wrong answers', load.ledger.wrong))

    const whole = historyOf(databasePath(folder.data))
    for (const { acknowledged, ended } of taken) {
      if (ended.exitCode !== 0) {
        broken.push(`a backup failed: ${ended.err}`)
        continue
      }
      const { file } = JSON.parse(ended.out) as { file: string }
      figures.backups += 1
      broken.push(...(await faultsInBackup(file)))
      const held = historyOf(file)
      if (!isSame(held, whole.slice(0, held.length))) figures['not a moment'] += 1
      const requests = requestsIn(file)
      figures['acknowledged before, missing'] += [...acknowledged].filter((id) => !requests.has(id)).length
    }
    if (figures['not a moment'] > 0)
      broken.push(`${figures['not a moment']} backups are of no moment that was`)
    if (figures['acknowledged before, missing'] > 0)
      broken.push('writes answered before a backup are not in it')
    broken.push(...(await restoredAnswers(server.url, folder.data, folder.path, places, load.ledger)))
    await server.stop()

    const files = backupsIn(to)
    for (let index = 0; index < Math.min(RESTORED, files.length); index++) {
      const file = files[Math.floor(chance() * files.length)] as string
      broken.push(...(await servesAfterRestore(file, join(folder.path, `restored-${index}`))))
      figures.restored += 1
    }
  } finally {
    folder.remove()
  }
  return { figures, broken }
}

const lists = [
  'moderation?limit=200',
  'moderation?banList=true&limit=200',
  'moderation?banHistory=true&limit=200',
  'departments?limit=200',
  'events?limit=200',
  '_workspace-permissions?',
]

/** What a server answers to reads of every list. */
async function answersOf(url: string, places: readonly Place[]): Promise<string[]> {
  const answers: string[] = []
  for (const place of places) {
    const paths = lists.map((list) => `${list}&workspaceId=${place.workspaceId}`)
    for (const path of [...paths, `workspaces?archives=true&id=${place.workspaceId}`]) {
      const answer = await fetch(`${url}/api/${path}`, {
        headers: credentials(place, 'key'),
      })
      answers.push(`${path} ${answer.status} ${await answer.text()}`)
    }
  }
  return answers
}

/** A backup of the instance at rest, restored elsewhere and served, answers as the instance does. */
async function restoredAnswers(
  url: string,
  dataDir: string,
  scratch: string,
  places: readonly Place[],
  ledger: Ledger,
): Promise<string[]> {
  const from = join(scratch, 'at-rest.db')
  const copy = join(scratch, 'copy')
  const wanted = await answersOf(url, places)
  for (const args of [
    ['backup', '--to', from],
    ['restore', '--from', from],
  ]) {
    const program = { dataDir: args[0] === 'backup' ? dataDir : copy, program: BINARY }
    const { exitCode, err } = await reeve(args, program)
    if (exitCode !== 0) return [`${args[0]} at rest failed: ${err}`]
  }
  const server = await serve({ dataDir: copy, program: BINARY, env: SERVER_ENVIRONMENT })
  try {
    const got = await answersOf(server.url, places)
    const other = got.filter((answer, at) => answer !== wanted[at])
    return [
      ...someOf('lists read differently after a restore', other),
      ...someOf('records read differently after a restore', await differences(server.url, ledger)),
      ...(wanted.every((answer) => / 200 /.test(answer)) ? [] : ['some lists could not be read']),
    ]
  } finally {
    await server.stop()
  }
}

/** A backup of any moment can be restored and served, and the doctor finds nothing. */
async function servesAfterRestore(file: string, dataDir: string): Promise<string[]> {
  const restored = await reeve(['restore', '--from', file], { dataDir, program: BINARY })
  if (restored.exitCode !== 0) return [`restore failed: ${restored.err}`]
  const same = isSame(historyOf(file), historyOf(databasePath(dataDir)))
  const server = await serve({ dataDir, program: BINARY, env: SERVER_ENVIRONMENT })
  const ready = await fetch(`${server.url}/readyz`)
  const doctor = await reeve(['doctor'], { dataDir, program: BINARY })
  const exitCode = await server.stop()
  return [
    ...(same ? [] : ['a restored folder holds something else than its backup']),
    ...(ready.status === 200 && exitCode === 0 ? [] : ['a restored folder is not served']),
    ...(doctor.exitCode === 0 ? [] : [`the doctor finds a restored folder unwell: ${doctor.out}`]),
  ]
}
