import type { Instance, RequestOptions, TestResponse } from '../../support/instance.ts'

export type WorkspaceFixture = Awaited<ReturnType<Instance['workspace']>>

let nameCount = 0

/** Reads the departments of a workspace, with its API key by default. */
export const readDepartments = (
  instance: Instance,
  workspace: WorkspaceFixture,
  options: RequestOptions = { key: workspace.key },
): Promise<TestResponse> => instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, options)

/** Creates a department with a new name, with the API key of the workspace by default. */
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

/** Sends this many requests concurrently. */
export const runTimes = <Value>(count: number, sendRequest: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, sendRequest))
