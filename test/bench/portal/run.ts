import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../../support/browser.ts'
import { type FirstScreen, listFirstScreenNames, openFirstScreens } from '../../support/first-screens.ts'
import { measureLighthouse, minimumScores, type Scores } from './lighthouse.ts'
import { limits, listExceeded } from './limits.ts'
import { conditions, measureTiming, measureWeight, type Timing, type Weight } from './measure.ts'

/**
 * `bun run bench:portal [--quick] [--runs <n>] [--screens <names>] [--json <file>]`: measures the first screens of the portal, as
 * in `docs/performance.md`. With `--quick` only what does not depend on the speed of the machine; with `--screens home,player` only
 * these.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    runs: { type: 'string', default: '5' },
    screens: { type: 'string' },
    json: { type: 'string' },
  },
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a positive integer')
const names = values.screens?.split(',').map((name) => name.trim()) ?? listFirstScreenNames()
const unknown = names.filter((name) => !listFirstScreenNames().includes(name))
if (unknown.length > 0)
  throw new Error(`unknown in --screens: ${unknown.join(', ')}. Known: ${listFirstScreenNames().join(', ')}`)
const output = values.json ?? join(import.meta.dir, '../../../dist/bench-portal.json')
const log = (line: string) => process.stderr.write(`${line}\n`)

interface Row {
  readonly screen: string
  readonly weight: Weight
  readonly timing: Timing | null
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** The median of each figure; the largest element is that of the last run. */
function summarize(timings: readonly Timing[]): Timing | null {
  const last = timings.at(-1)
  if (!last) return null
  return {
    firstPaint: Math.round(median(timings.map(({ firstPaint }) => firstPaint))),
    largestPaint: Math.round(median(timings.map(({ largestPaint }) => largestPaint))),
    largestElement: last.largestElement,
    layoutShift: Math.max(...timings.map(({ layoutShift }) => layoutShift)),
  }
}

const isWithinLimits = ({ weight, timing }: Row): boolean =>
  weight.requests <= limits.requests &&
  weight.bytes <= limits.bytes &&
  (timing === null || (timing.largestPaint <= limits.largestPaint && timing.layoutShift < limits.layoutShift))

function formatTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { screen, weight, timing } = row
    const times = timing
      ? [`${timing.firstPaint} ms`, `${timing.largestPaint} ms`, timing.layoutShift.toFixed(3)]
      : ['', '', '']
    const bytes = `${(weight.bytes / 1000).toFixed(1)} KB`
    return `| ${[screen, weight.requests, bytes, ...times, isWithinLimits(row) ? 'kept' : '**missed**'].join(' | ')} |`
  })
  return [
    '| screen | requests | gzip | first paint | largest paint | layout shift | |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

const screens = await openFirstScreens()
const browser = await launchBrowser()
const rows: Row[] = []
const problems: string[] = []

async function measure(screen: FirstScreen): Promise<Row> {
  log(`${screen.name}`)
  const weight = await measureWeight(browser, screens, screen)
  problems.push(...listExceeded(screen, weight))
  const timings: Timing[] = []
  for (let run = 0; run < (values.quick ? 0 : runs); run++)
    timings.push(await measureTiming(browser, screens, screen))
  return { screen: screen.name, weight, timing: summarize(timings) }
}

/** The median scores of the sign-in page. */
async function rateSignIn(): Promise<Scores | null> {
  if (values.quick || !names.includes('sign-in')) return null
  log('Lighthouse')
  const { url } = screens.find('sign-in')
  const all: Scores[] = []
  for (let run = 0; run < runs; run++) all.push(await measureLighthouse(url))
  return {
    performance: median(all.map(({ performance }) => performance)),
    accessibility: Math.min(...all.map(({ accessibility }) => accessibility)),
    'best-practices': Math.min(...all.map((scores) => scores['best-practices'])),
  }
}

try {
  for (const screen of screens.screens) if (names.includes(screen.name)) rows.push(await measure(screen))
  const lighthouse = await rateSignIn()
  const browserVersion = browser.version()
  const report = {
    at: new Date().toISOString(),
    runs: values.quick ? 0 : runs,
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem(), system: release() },
    versions: { bun: Bun.version, chromium: browserVersion },
    commit: (await new Response(Bun.spawn(['git', 'rev-parse', '--short', 'HEAD']).stdout).text()).trim(),
    conditions,
    limits,
    rows,
    lighthouse,
  }
  mkdirSync(dirname(output), { recursive: true })
  writeFileSync(output, `${JSON.stringify(report, null, 2)}\n`)
  process.stdout.write(`\n${formatTable(rows)}\n`)
  if (lighthouse) {
    const scores = Object.entries(minimumScores).map(
      ([id, minimum]) => `${id} ${lighthouse[id as keyof Scores]} (at least ${minimum})`,
    )
    process.stdout.write(`\nLighthouse on the sign-in page, mobile: ${scores.join(', ')}\n`)
  }
  process.stdout.write(`\nWritten to ${output}\n`)
  for (const problem of problems) log(problem)
  if (rows.some((row) => !isWithinLimits(row))) process.exitCode = 1
} finally {
  await Promise.all([browser.close(), screens.close()])
}
