import { type Instance, PUBLIC_URL, type TestResponse } from './instance.ts'

export const EVIDENCE_PATH = '/portal/api/moderation/evidence-files'

interface Upload {
  readonly session: string
  readonly workspaceId: string
  /** The record; absent for one that is created with the file. */
  readonly id?: string
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Attaches a file to a record, or uploads it for a new one, as a browser does. */
export async function uploadEvidence(
  instance: Instance,
  { session, headers = {}, ...fields }: Upload,
  body: BodyInit,
): Promise<TestResponse> {
  const response = await instance.fetch(
    new Request(`${PUBLIC_URL}${EVIDENCE_PATH}?${new URLSearchParams(fields)}`, {
      method: 'POST',
      headers: { cookie: `reeve_session=${session}`, 'sec-fetch-site': 'same-origin', ...headers },
      body,
    }),
  )
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text), text }
}
