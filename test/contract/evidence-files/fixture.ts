import type { Permission } from '@reeve/core'
import { EVIDENCE_PATH, uploadEvidence } from '../../support/evidence-upload.ts'
import { type Instance, PUBLIC_URL } from '../../support/instance.ts'

type Workspace = Awaited<ReturnType<Instance['workspace']>>

/** The requests of a workspace whose owner uploads files. @param existing a new one by default */
export async function openEvidenceFixture(instance: Instance, existing?: Workspace) {
  const workspace = existing ?? (await instance.workspace())
  const { id: workspaceId, ownerSession: session } = workspace

  const moderate = async (body: Readonly<Record<string, string>>) =>
    (await instance.request('POST', '/api/moderation', { session, body: { workspaceId, ...body } })).body
      .record

  const upload = (
    id: string,
    name: string,
    bytes: BodyInit,
    { session: from = session, headers = {} }: { session?: string; headers?: Record<string, string> } = {},
  ) => uploadEvidence(instance, { session: from, headers, workspaceId, id, name }, bytes)

  /** Requests the content of a file. */
  const download = (fileId: string, from = session): Promise<Response> =>
    instance.fetch(
      new Request(`${PUBLIC_URL}${EVIDENCE_PATH}?${new URLSearchParams({ workspaceId, fileId })}`, {
        headers: { cookie: `reeve_session=${from}`, 'sec-fetch-site': 'same-origin' },
      }),
    )

  return {
    ...workspace,
    workspaceId,
    session,
    moderate,
    createRecord: (userId = '261') => moderate({ action: 'warn', userId, reason: 'Spamming' }),
    upload,
    download,
    readBytes: async (fileId: string) => new Uint8Array(await (await download(fileId)).arrayBuffer()),
    remove: (id: string, fileId: string, from = session) =>
      instance.request('DELETE', `${EVIDENCE_PATH}?${new URLSearchParams({ workspaceId, id, fileId })}`, {
        session: from,
      }),
    readRecord: async (id: string) =>
      (await instance.request('GET', `/api/moderation?workspaceId=${workspaceId}&id=${id}`, { session }))
        .body,
    createMember: (...permissions: readonly Permission[]) => instance.member(workspaceId, permissions),
  }
}

export type EvidenceFixture = Awaited<ReturnType<typeof openEvidenceFixture>>
