import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { startDownload, verifyBeforeDownload } from '../api/download.ts'
import { stringifySearchParams } from '../app/search-params.ts'
import { notifyError } from './toast.tsx'

/** A filtered list as a file. */
export interface DownloadFile {
  /** `/portal/api/audit.csv` */
  readonly path: string
  /** The workspace and the filters of the list. */
  readonly query: Readonly<Record<string, string | undefined>>
  readonly format: 'CSV' | 'JSON Lines'
}

/** The properties of a link that downloads a file. */
export const createDownloadProps = ({ path, query }: DownloadFile) => ({
  href: `${path}${stringifySearchParams(query)}`,
  download: true,
  onClick(event: MouseEvent<HTMLAnchorElement>) {
    event.preventDefault()
    const { href } = event.currentTarget
    verifyBeforeDownload().then(() => startDownload(href), notifyError)
  },
})

/** Downloads the filtered list as a file. */
export const DownloadLink = (file: DownloadFile) => (
  <Button
    component="a"
    variant="default"
    {...createDownloadProps(file)}
    leftSection={<IconDownload size={16} aria-hidden />}
  >
    {file.format}
  </Button>
)
