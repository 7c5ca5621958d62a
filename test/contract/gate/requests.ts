import type { Instance, RequestOptions, TestResponse } from '../../support/instance.ts'

export type WorkspaceFixture = Awaited<ReturnType<Instance['workspace']>>

let nameCount = 0

/** Reads the departments of a workspace, with its own key by default. */
export const readDepartments = (
  instance: Instance,
  workspace: WorkspaceFixture,
  options: RequestOptions = { key: workspace.key },
): Promise<TestResponse> => instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, options)

/** Makes a department of a new name, with the workspace's own key by default. */
export const createDepartment = (
  instance: Instance,
  workspace: WorkspaceFixture,
  options: RequestOptions = {},
): Promise<TestResponse> =>
  instance.request('POST', `/api/departments?workspaceId=${workspace.id}`, {
    key: workspace.key,
    body: { name: `department ${++nameCount}` },
    ...options,
  })

export const listStatuses = (responses: readonly TestResponse[]): number[] =>
  responses.map(({ status }) => status)

/** So many at once. */
export const runTimes = <Value>(count: number, sendRequest: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, sendRequest))
