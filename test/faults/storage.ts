import { seededRandom } from '../bench/random.ts'
import { temporaryFolder } from '../support/folder.ts'
import { BINARY, type Running, serve } from '../support/program.ts'
import { differences, lookInto } from './support/check.ts'
import { openConnection } from './support/connection.ts'
import { type Fault, type Plan, someOf } from './support/fault.ts'
import { type Place, populate } from './support/population.ts'
import { foldsOf, SERVER_ENVIRONMENT } from './support/server.ts'
import { smallDisk } from './support/small-disk.ts'
import { failing } from './support/strace.ts'
import { credentials, type Load, openLoad } from './support/writers.ts'

const WRITERS = 64
const WORKSPACES = 8
const MEGABYTE = 1024 * 1024

interface Figures {
  acknowledged: number
  unavailable: number
  readsMeanwhile: number
  lost: number
  doubled: number
}

/** D3: the disk is full, or fails. */
export const storage: Fault = {
  promise: 'D3',
  title: 'disk full, I/O errors on write and on sync',
  async run(plan, say) {
    const figures: Record<string, number | string> = {}
    const broken: string[] = []
    for (const [name, trouble] of Object.entries(troubles)) {
      const seen: Figures = { acknowledged: 0, unavailable: 0, readsMeanwhile: 0, lost: 0, doubled: 0 }
      const found = await trouble(plan, seen)
      say(
        `${name}: ${Object.entries(seen)
          .map(([what, count]) => `${what} ${count}`)
          .join(', ')}`,
      )
      for (const [what, count] of Object.entries(seen)) figures[what] = Number(figures[what] ?? 0) + count
      broken.push(...found.map((fault) => `${name}: ${fault}`))
    }
    return { figures, broken }
  },
}

/** Starts a server on the folder: the binary as it is, or under something that makes it suffer. */
type Start = (program?: readonly string[]) => Promise<Running>

type Trouble = (plan: Plan, seen: Figures) => Promise<string[]>

const troubles: Readonly<Record<string, Trouble>> = {
  'disk full': async (plan, seen) => {
    const disk = smallDisk(plan.short ? 9 : 48)
    if (!disk) {
      return [
        ...(await passing(
          {
            call: 'pwrite64',
            file: 'reeve.db-wal',
            error: 'ENOSPC',
            when: plan.short ? '300..360' : '500..900',
          },
          plan,
          seen,
        )),
      ]
    }
    try {
      return await onFolder(
        disk.data,
        { ...plan, isHeavy: false },
        async (load, places, start) => {
          disk.load((plan.short ? 4 : 24) * MEGABYTE)
          const server = await start()
          let wasFull = false
          let enough = Number.POSITIVE_INFINITY
          const loading = load.run(server.url, () => load.ledger.acknowledged.length >= enough)
          const reading = readWhile(server, places, load, seen, () => wasFull)
          await until(() => load.ledger.unavailable > 200)
          await Bun.sleep(300)
          wasFull = true
          disk.unload()
          enough = load.ledger.acknowledged.length + 200
          await Promise.all([loading, reading])
          return server
        },
        seen,
      )
    } finally {
      disk.remove()
    }
  },
  'write error on the log': (plan, seen) =>
    passing(
      { call: 'pwrite64', file: 'reeve.db-wal', error: 'EIO', when: plan.short ? '300..330' : '500..620' },
      plan,
      seen,
    ),
  'write error on the database': (plan, seen) =>
    passing(
      { call: 'pwrite64', file: 'reeve.db', error: 'EIO', when: plan.short ? '1..5' : '1..20' },
      plan,
      seen,
    ),
  'sync error on the log': (plan, seen) =>
    stopping(
      { call: 'fsync', file: 'reeve.db-wal', error: 'EIO', when: plan.short ? '10+' : '30+' },
      plan,
      seen,
    ),
  'sync error on the database': (plan, seen) =>
    stopping({ call: 'fsync', file: 'reeve.db', error: 'EIO', when: '1+' }, plan, seen),
}

type Injected = Parameters<typeof failing>[1]

/** An error that passes: reads go on meanwhile, writes are refused, and afterwards all is as if it had never been. */
async function passing(injected: Injected, plan: Plan, seen: Figures): Promise<string[]> {
  const folder = temporaryFolder()
  const wanted = plan.short ? 400 : 3000
  const atAFold = injected.file === 'reeve.db'
  try {
    return await onFolder(
      folder.data,
      { ...plan, isHeavy: atAFold },
      async (load, places, start) => {
        const server = await start(failing(folder.data, injected, BINARY))
        const hasFolded = foldsOf(folder.data)
        let isOver = false
        const reading = readWhile(server, places, load, seen, () => isOver)
        await load.run(
          server.url,
          () => load.ledger.acknowledged.length >= wanted && (!atAFold || hasFolded()),
        )
        isOver = true
        await reading
        return server
      },
      seen,
    )
  } finally {
    folder.remove()
  }
}

/** A sync that fails: the process says so and ends, and what it had acknowledged is there at the next start. */
async function stopping(injected: Injected, plan: Plan, seen: Figures): Promise<string[]> {
  const folder = temporaryFolder()
  const faults: string[] = []
  const atAFold = injected.file === 'reeve.db'
  try {
    const found = await onFolder(
      folder.data,
      { ...plan, isHeavy: atAFold },
      async (load, _, start) => {
        const server = await start(failing(folder.data, injected, BINARY))
        await load.run(server.url, () => false)
        const exitCode = await server.exited
        if (exitCode !== 1) faults.push(`it exited with ${exitCode}`)
        if (!server.log.some(({ level, msg }) => level === 'fatal' && msg.includes('did not confirm')))
          faults.push('its log does not say why it stopped')
        return start()
      },
      seen,
    )
    return [...faults, ...found]
  } finally {
    folder.remove()
  }
}

/** Fills a folder, lets trouble come over it, and looks whether everything acknowledged is there once and nothing is half-written. */
async function onFolder(
  data: string,
  plan: Pick<Plan, 'seed'> & { readonly isHeavy: boolean },
  suffer: (load: Load, places: readonly Place[], start: Start) => Promise<Running>,
  seen: Figures,
): Promise<string[]> {
  const places = await populate(data, WORKSPACES)
  const load = openLoad(places, WRITERS, seededRandom(plan.seed), { isHeavy: plan.isHeavy })
  const { ledger } = load
  const started: Running[] = []
  const start: Start = async (program = BINARY) => {
    const server = await serve({ dataDir: data, program, env: SERVER_ENVIRONMENT })
    started.push(server)
    return server
  }
  try {
    const server = await suffer(load, places, start)
    await load.settle(server.url)
    const differing = await differences(server.url, ledger)
    const exitCode = await server.stop()
    const found = await lookInto(data, ledger.acknowledged)
    seen.acknowledged += ledger.acknowledged.length
    seen.unavailable += ledger.unavailable
    seen.lost += found.lost.length
    seen.doubled += found.doubled.length
    return [
      ...someOf('acknowledged writes lost', found.lost),
      ...someOf('writes doubled', found.doubled),
      ...someOf('wrong answers', ledger.wrong),
      ...someOf('records differ from their answers', differing),
      ...found.faults,
      ...(exitCode === 0 ? [] : [`it stopped with ${exitCode} afterwards`]),
    ]
  } finally {
    for (const server of started) {
      server.signal('SIGKILL')
      await server.exited
    }
  }
}

/** Makes the check that game servers make, over and over; each must succeed. */
async function readWhile(
  server: Running,
  places: readonly Place[],
  load: Load,
  seen: Figures,
  isOver: () => boolean,
): Promise<void> {
  const connection = openConnection(server.url)
  for (let turn = 0; !isOver(); turn++) {
    const place = places[turn % places.length] as Place
    const path = `/api/moderation?workspaceId=${place.workspaceId}&banList=true&userId=w5-0`
    const { status, body } = await connection.call({
      method: 'GET',
      path,
      headers: credentials(place, 'key'),
    })
    if (status !== 200 || !Array.isArray(body?.bans)) load.ledger.wrong.push(`a read was answered ${status}`)
    if (load.ledger.unavailable > 0) seen.readsMeanwhile += 1
  }
  connection.close()
}

const WAIT_MS = 30_000

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + WAIT_MS
  while (!isSo()) {
    if (performance.now() > end) throw new Error('what was waited for did not come')
    await Bun.sleep(5)
  }
}
