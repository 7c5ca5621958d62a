import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LOAD_SERVER_ENV } from '../faults/support/server-settings.ts'
import { BINARY, startServer } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { FIRST_PLAYER, provideDataset } from './dataset.ts'
import { runProbe } from './measure.ts'
import type { ProbeResult } from './probe.ts'
import type { Dataset } from './scenario.ts'
import { type ChildProcess, readLines, startChild } from './support/child-process.ts'
import { fillWithImages } from './support/fill-images.ts'
import { type Memory, watchMemory } from './support/resources.ts'

/**
 * `bun run test:offsite [--scale 1] [--gigabytes 10] [--folder <folder>] [--objects <folder>]`: backs up a large instance to a store on this
 * machine while ban checks are measured, then verifies and restores the backup from there, for `docs/performance.md`. Data in
 * the folder are used again. Exits with status 1 if a bound is missed, or if the drill finds a fault that the data do not explain. The store keeps its objects in memory if their folder is in /dev/shm: those of a real one are not on this disk. Needs four times the size of the database on the disk.
 */
const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    gigabytes: { type: 'string', default: '10' },
    folder: { type: 'string' },
    objects: { type: 'string' },
  },
})
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'reeve-offsite-'))
const dataDir = join(folder, 'data')
const idleSeconds = 10
/** What each command may use whatever the size of the instance. */
const MAX_RESIDENT_BYTES = 300 * 2 ** 20
/** The p99 latency of ban checks, in multiples of that without load. */
const MAX_LATENCY_RATIO = 4
/** A ban check may take this long whatever it takes without load, where it is within the noise of the machine. */
const NOISE_MS = 10
/** The audit log of the generated records does not have all of their fields, which a drill reports. */
const EXPECTED_FAULTS: ReadonlySet<string> = new Set(['records'])
/** As for automatic backups. */
const LOW_PRIORITY = 10

const log = (line: string) => process.stderr.write(`${line}\n`)
const formatMs = (ms: number) => `${ms.toFixed(1)} ms`
const formatMiB = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

async function provideData(): Promise<Dataset> {
  const description = join(folder, 'dataset.json')
  if (!existsSync(description)) {
    mkdirSync(folder, { recursive: true })
    const dataset = await provideDataset(dataDir, Number(values.scale), null, log)
    writeFileSync(description, JSON.stringify(dataset))
  }
  fillWithImages(dataDir, Number(values.gigabytes) * 1e9)
  return JSON.parse(readFileSync(description, 'utf8')) as Dataset
}

interface Run {
  readonly seconds: number
  readonly memory: Memory
  readonly output: string
}

/** Runs a command with low priority. @param onStep gets each line of progress */
async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onStep: (line: string) => void = () => {},
): Promise<Run> {
  const startedAt = performance.now()
  const child = Bun.spawn([...BINARY, ...args], {
    env: {
      ...process.env,
      REEVE_SECRET_KEY: SECRET_KEY,
      REEVE_DATA_DIR: dataDir,
      REEVE_BACKUP_DIR: join(folder, 'backups'),
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  setPriority(child.pid, LOW_PRIORITY)
  const memory = watchMemory(child.pid)
  const stdout = new Response(child.stdout).text()
  for await (const line of readLines(child.stderr)) {
    log(`  ${line}`)
    onStep(line)
  }
  const exitCode = await child.exited
  const seconds = (performance.now() - startedAt) / 1000
  if (exitCode !== 0 && args[1] !== 'verify')
    throw new Error(`reeve ${args.join(' ')} exited with ${exitCode}: ${await stdout}`)
  return { seconds, memory: memory.stop(), output: await stdout }
}

/** Measures ban checks without load, while the copy is made and verified, and while it is uploaded. */
async function measureBackup(dataset: Dataset, env: Readonly<Record<string, string>>) {
  const server = await startServer({ dataDir, program: BINARY, env: LOAD_SERVER_ENV })
  const probe: ChildProcess = startChild('probe.ts', {
    url: server.url,
    workspace: dataset.checked,
    firstPlayer: FIRST_PLAYER,
    bannedPlayers: dataset.bannedPlayers,
  })
  try {
    await runProbe(probe, () => Bun.sleep(1000))
    const idle = await runProbe(probe, () => Bun.sleep(idleSeconds * 1000))
    const startedAt = performance.now()
    const uploading = Promise.withResolvers<number>()
    const done = runCommand(['backup'], env, (line) => {
      if (line.startsWith('Encrypting and uploading')) uploading.resolve(performance.now() - startedAt)
    })
    done.catch(uploading.reject)
    let copyMs = 0
    const copying = await runProbe(probe, async () => {
      copyMs = await uploading.promise
    })
    let backup: Run | undefined
    const sending = await runProbe(probe, async () => {
      backup = await done
    })
    if (!backup) throw new Error('the backup did not end')
    return { idle, copying, sending, copySeconds: copyMs / 1000, backup }
  } finally {
    await probe.close()
    await server.stop()
  }
}

const formatChecks = ({ p50, p99, max, checks, rejected }: ProbeResult) =>
  `p50 ${formatMs(p50)}, p99 ${formatMs(p99)}, max ${formatMs(max)} (${checks} checks, ${rejected} rejected)`
const formatRun = ({ seconds, memory }: Run) =>
  `${seconds.toFixed(0)} s, peak memory ${formatMiB(memory.peak)}, ${formatMiB(memory.withoutFiles)} without pages of files`
const print = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`)

/** The bounds that were missed. */
const misses: string[] = []
const expectBound = (isMet: boolean, miss: string) => {
  if (!isMet) misses.push(miss)
}
const expectMemory = (title: string, { memory }: Run) =>
  expectBound(memory.peak < MAX_RESIDENT_BYTES, `${title} uses ${formatMiB(memory.peak)} of memory`)
function expectChecks(title: string, idle: ProbeResult, { p99, rejected }: ProbeResult): void {
  const bound = Math.max(NOISE_MS, MAX_LATENCY_RATIO * idle.p99)
  expectBound(
    p99 <= bound,
    `ban checks during ${title} have a p99 of ${formatMs(p99)}, above ${formatMs(bound)}`,
  )
  expectBound(rejected === 0, `${rejected} ban checks during ${title} were rejected`)
}

interface Drill {
  readonly findings?: readonly { readonly check: string; readonly verdict: string; readonly found: string }[]
}

/** A drill must run to its end, and find only what the generated data explain. */
function expectDrill({ output }: Run): void {
  const { findings = [] } = JSON.parse(output) as Drill
  expectBound(findings.length > 0, `the drill failed: ${output}`)
  const faults = findings.filter(({ verdict, check }) => verdict === 'fault' && !EXPECTED_FAULTS.has(check))
  for (const { check, found } of faults) misses.push(`the drill found a fault, ${check}: ${found}`)
}

const dataset = await provideData()
const objects = values.objects ?? join(folder, 'objects')
mkdirSync(objects, { recursive: true })
const store = startChild('support/store-process.ts', { folder: objects })
const restored = join(folder, 'restored')
try {
  const env = {
    ...(JSON.parse(await store.nextLine()) as Record<string, string>),
    REEVE_BACKUP_PASSPHRASE: 'a passphrase of the benchmark',
  }
  print(`database ${formatMiB(statSync(join(dataDir, 'reeve.db')).size)}, ${dataset.largeRecords} records`)
  const { idle, copying, sending, copySeconds, backup } = await measureBackup(dataset, env)
  print(
    `backup: ${formatRun(backup)}; of which copy and verification ${copySeconds.toFixed(0)} s, upload ${(backup.seconds - copySeconds).toFixed(0)} s`,
    backup.output.trim(),
    `ban checks without load: ${formatChecks(idle)}`,
    `ban checks during copy and verification: ${formatChecks(copying)}`,
    `ban checks during the upload: ${formatChecks(sending)}`,
  )
  expectMemory('the backup', backup)
  expectChecks('copy and verification', idle, copying)
  expectChecks('the upload', idle, sending)
  rmSync(join(folder, 'backups'), { recursive: true })
  const verified = await runCommand(['backup', 'verify', '--json'], env)
  expectMemory('the verification', verified)
  expectDrill(verified)
  print(`verify from the bucket: ${formatRun(verified)}`)
  const restore = await runCommand(
    ['restore', '--from', 's3://images/backups/latest', '--data-dir', restored, '--create'],
    env,
  )
  print(`restore from the bucket: ${formatRun(restore)}`)
  expectMemory('the restore', restore)
} finally {
  await store.close()
  for (const path of [objects, restored, join(folder, 'backups')])
    rmSync(path, { recursive: true, force: true })
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}
print(...(misses.length === 0 ? ['All bounds were kept.'] : misses.map((miss) => `MISSED: ${miss}`)))
process.exitCode = misses.length === 0 ? 0 : 1
