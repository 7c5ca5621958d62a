import type { Answer, CallOptions, Instance } from '../../support/instance.ts'

export type Home = Awaited<ReturnType<Instance['workspace']>>

let names = 0

/** Reads the departments of a workspace, with its own key by default. */
export const read = (at: Instance, home: Home, more: CallOptions = { key: home.key }): Promise<Answer> =>
  at.call('GET', `/api/departments?workspaceId=${home.id}`, more)

/** Makes a department of a new name, with the workspace's own key by default. */
export const write = (at: Instance, home: Home, more: CallOptions = {}): Promise<Answer> =>
  at.call('POST', `/api/departments?workspaceId=${home.id}`, {
    key: home.key,
    body: { name: `department ${++names}` },
    ...more,
  })

export const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status)

/** So many at once. */
export const times = <Value>(count: number, step: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, step))
