import { api, unwrap } from './client.ts'

/** Lets the user confirm who they are, if that is needed for a download: the browser would save the error. @throws ApiError if they cancel */
export const verifyBeforeDownload = async (): Promise<void> => {
  await unwrap(api.GET('/portal/api/verification'))
}

/** Saves what a URL returns as a file. */
export function startDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
