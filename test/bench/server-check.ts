import { readFileSync, writeFileSync } from 'node:fs'
import type { Plan } from './load.ts'
import { createMinLine, formatRate, type Line } from './report.ts'
import { FIRST_PLAYER, type SeededData } from './seed.ts'
import { startReeve } from './servers.ts'
import { measureAlternating, medianRate } from './throughput.ts'

const CHECKS = 50
const PLAYERS = 700

/** Checks a whole server. @returns the response */
async function checkServer(url: string, key: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(new URL('/api/moderation/check', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(`the check returned ${response.status}`)
  return (await response.json()) as Record<string, unknown>
}

/** Writes checks with the tags of their responses for `check-unchanged.lua`. @throws if they do not return `unchanged` */
async function writeUnchangedChecks(url: string, data: SeededData): Promise<void> {
  const userIds = Array.from({ length: PLAYERS }, (_, index) => FIRST_PLAYER + 2 * index).join()
  const lines: string[] = []
  for (const caller of readFileSync(data.callers, 'utf8').trim().split('\n').slice(0, CHECKS)) {
    const [workspaceId, key] = caller.split(' ') as [string, string]
    const request = { workspaceId, userIds }
    const { tag } = await checkServer(url, key, request)
    const { unchanged } = await checkServer(url, key, { ...request, tag })
    if (unchanged !== 'true') throw new Error('the tag of the response before counts as changed')
    lines.push(`${key} ${JSON.stringify({ ...request, tag })}`)
  }
  writeFileSync(`${data.callers}.checks`, `${lines.join('\n')}\n`)
}

/** S12: the check of a whole server with the tag of the response before, which reads nothing, compared with one without a tag. */
export async function measureUnchangedChecks(
  data: SeededData,
  plan: Plan,
  log: (line: string) => void,
): Promise<Line> {
  log('S12: check of 700 players with an unchanged tag')
  const server = await startReeve(data.settings)
  try {
    await writeUnchangedChecks(server.url, data)
    const workloads = [
      { server, script: 'check-unchanged', target: 'reeve' },
      { server, script: 'check', target: 'reeve' },
    ] as const
    const [unchangedRate, checkRate] = (await measureAlternating(workloads, data, plan)).map(medianRate) as [
      number,
      number,
    ]
    return createMinLine(1, {
      promise: 'S12',
      work: 'check of 700 players with an unchanged tag',
      reeve: formatRate(unchangedRate),
      compared: `${formatRate(checkRate)} without a tag`,
      ratio: unchangedRate / checkRate,
    })
  } finally {
    await server.stop()
  }
}
