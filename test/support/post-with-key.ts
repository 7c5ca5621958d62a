interface Credentials {
  readonly workspaceId: string
  readonly apiKey: string
}

/** Sends a change with the API key of a workspace. @param path below `/api/` @returns the body @throws unless the status is 200 */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are read
export async function postWithKey(url: string, as: Credentials, path: string, body: object): Promise<any> {
  const { workspaceId, apiKey } = as
  const response = await fetch(`${url}/api/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workspaceId, ...body }),
  })
  const result = await response.json()
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(result)}`)
  return result
}
