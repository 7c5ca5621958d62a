import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestClock } from '../support/clock.ts'
import type { EngineName } from '../support/engine.ts'
import { createPng, dataUrl } from '../support/images.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { runDoctorOn } from './doctor-findings.ts'

const TIMEOUT_MS = 60_000

describe.each<EngineName>(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await openInstance({ engine, clock: createTestClock(Date.now() - 864_000_000) })
  }, TIMEOUT_MS)
  afterAll(() => instance.close())

  test(
    'images in the database whose bytes do not match their hash are named, and no others',
    async () => {
      const { id: workspaceId, key } = await instance.workspace()
      const sizes = Array.from({ length: 20 }, (_, index) => 2000 + index)
      for (const size of sizes) {
        const event = {
          title: 'A',
          scheduledFor: '2030-01-01T00:00:00Z',
          imageDataUrl: dataUrl(createPng(size)),
        }
        const body = { workspaceId, ...event }
        expect((await instance.request('POST', '/api/events', { key, body })).status).toBe(200)
      }
      expect((await runDoctorOn(instance)).find('hashes')).toMatchObject({
        verdict: 'ok',
        found: '20 images of the database match their hashes.',
      })
      const rows = await instance.storage.query<{ hash: string }>('select hash from media order by hash')
      const changed = [rows[0], rows[7], rows[8], rows[19]].map((row) => String(row?.hash))
      const bytes = engine === 'SQLite' ? "x'00'" : "'\\x00'::bytea"
      await instance.storage.query(
        `update media set bytes = ${bytes} where hash in (${changed.map((hash) => `'${hash}'`).join()})`,
      )
      const doctor = await runDoctorOn(instance)
      const { verdict, found } = doctor.find('hashes')
      expect({ exitCode: doctor.exitCode, verdict }).toEqual({ exitCode: 1, verdict: 'fault' })
      const named = changed.map((hash) => `image ${hash} does not match its hash`)
      expect(found).toBe(`4 images of 20 compared: ${named.join('; ')}.`)
    },
    TIMEOUT_MS,
  )
})
