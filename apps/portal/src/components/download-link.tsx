import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { startDownload, verifyBeforeDownload } from '../api/download.ts'
import { stringifySearchParams } from '../app/search-params.ts'
import { notifyError } from './toast.tsx'

interface Props {
  /** `/portal/api/audit.csv` */
  readonly path: string
  /** The workspace and the filters of the list. */
  readonly query: Readonly<Record<string, string | undefined>>
  /** The format. */
  readonly format: 'CSV' | 'JSON Lines'
}

/** Downloads the filtered list as a file. */
export const DownloadLink = ({ path, query, format }: Props) => (
  <Button
    component="a"
    variant="default"
    href={`${path}${stringifySearchParams(query)}`}
    download
    onClick={(event) => {
      event.preventDefault()
      const { href } = event.currentTarget
      verifyBeforeDownload().then(() => startDownload(href), notifyError)
    }}
    leftSection={<IconDownload size={16} aria-hidden />}
  >
    {format}
  </Button>
)
