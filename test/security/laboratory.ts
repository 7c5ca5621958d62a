import { cpSync } from 'node:fs'
import { createTestStorage } from '../support/engine.ts'
import { type Instance, openInstance, type TestResponse } from '../support/instance.ts'
import { type RequestFields, sendFields } from './complete-request.ts'
import { isSafe, type Route } from './routes.ts'
import { createTenant } from './tenant.ts'

/**
 * Creates a tenant whose requests all meet the same data: after a write, the next one is sent to an instance on a copy of the data
 * folder.
 */
export async function openLaboratory() {
  const specimen = await createTestStorage('SQLite')
  const created = await openInstance({ storage: { ...specimen, remove: async () => {} } })
  const owner = await createTenant(created)
  await created.close()
  /** Null after a write. */
  let unchanged: Instance | null = null

  async function openCopy(): Promise<Instance> {
    const storage = await createTestStorage('SQLite')
    cpSync(specimen.dataDir, storage.dataDir, { recursive: true })
    return openInstance({ storage })
  }

  return {
    owner,
    /** Sends a request of the owner. */
    async send(route: Route, fields: RequestFields): Promise<TestResponse> {
      const instance = unchanged ?? (await openCopy())
      unchanged = instance
      const response = await sendFields(instance, route, fields, { session: owner.session })
      const hasWritten = !isSafe(route) && fields.dryRun === undefined && response.status === 200
      if (hasWritten) {
        unchanged = null
        await instance.close()
      }
      return response
    },
    async close(): Promise<void> {
      await unchanged?.close()
      await specimen.remove()
    },
  }
}

export type Laboratory = Awaited<ReturnType<typeof openLaboratory>>
