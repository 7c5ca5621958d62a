import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type AnchoredChains, createAuditAnchorJob } from '@reeve/api/jobs/audit-anchors'
import { createJobLease } from '@reeve/api/jobs/lease'
import { runJob } from '@reeve/api/jobs/scheduler'
import { verifyAudit } from '@reeve/audit'
import { type Instance, openInstance } from '../../support/instance.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts'

const HOUR = 3_600_000
const signal = new AbortController().signal

let instance: Instance
let folder: TemporaryFolder
let workspaceId: string
let logged: AnchoredChains[]
beforeEach(async () => {
  instance = await openInstance()
  folder = temporaryFolder()
  ;({ id: workspaceId } = await instance.workspace())
  logged = []
})
afterEach(async () => {
  folder.remove()
  await instance.close()
})

const createJob = (file: string | null = null, url: string | null = null) =>
  createAuditAnchorJob(
    instance.db,
    instance.ports,
    { auditAnchorFile: file, auditAnchorUrl: url },
    { onAnchors: (chains) => void logged.push(chains) },
  )

describe('anchors', () => {
  test('are logged once an hour, by one process for all', async () => {
    const claim = createJobLease(instance.db, instance.ports)
    const jobs = [createJob(), createJob()]
    const runAll = async () => {
      for (const job of jobs) await runJob(job, claim, signal)
    }
    await runAll()
    expect(logged.map((chains) => Object.keys(chains).sort())).toEqual([[workspaceId, 'instance'].sort()])
    await runAll()
    expect(logged).toHaveLength(1)
    instance.clock.advance(HOUR)
    await instance.key(workspaceId)
    await runAll()
    expect(logged).toHaveLength(2)
    expect(Object.keys(logged[1] ?? {})).toEqual([workspaceId])
  })

  test('are the last rows of the chains', async () => {
    await createJob().run(signal)
    const [sequence, hash] = logged[0]?.[workspaceId] ?? [0, '']
    const anchors = new Map([[workspaceId, new Map([[sequence, { hash, at: '' }]])]])
    expect(await verifyAudit(instance.db.read, instance.ports, { anchors })).toMatchObject({
      anchored: 1,
      faults: [],
    })
    expect(sequence).toBeGreaterThan(0)
  })

  test('are appended to a file that only its owner can read', async () => {
    const file = join(folder.path, 'anchors.jsonl')
    const job = createJob(file)
    await job.run(signal)
    await instance.key(workspaceId)
    await job.run(signal)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ chains }) => chains)).toEqual(logged)
    expect(lines[0].time).toBe(new Date(instance.clock.now()).toISOString())
    expect(job.runsOn).toBe('each')
  })

  test('are sent to a URL, and again if it did not accept them', async () => {
    const received: unknown[] = []
    let status = 503
    const receiver = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        received.push(await request.json())
        return new Response('', { status })
      },
    })
    const job = createJob(null, `${receiver.url}anchors`)
    expect((await rejectionOf(job.run(signal))).message).toContain('responded with status 503')
    await job.run(signal).catch(() => {})
    status = 200
    await job.run(signal)
    expect(received).toHaveLength(3)
    expect(received[2]).toEqual({ time: new Date(instance.clock.now()).toISOString(), chains: logged[2] })
    await job.run(signal)
    expect(received).toHaveLength(3)
    await receiver.stop(true)
  })
})
