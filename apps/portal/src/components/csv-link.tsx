import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { stringifySearchParams } from '../app/search-params.ts'

interface Props {
  /** `/portal/api/audit.csv` */
  readonly path: string
  /** The workspace and the filters of the list. */
  readonly query: Readonly<Record<string, string | undefined>>
}

/** Downloads the filtered list as CSV. */
export const CsvLink = ({ path, query }: Props) => (
  <Button
    component="a"
    variant="default"
    href={`${path}${stringifySearchParams(query)}`}
    download
    leftSection={<IconDownload size={16} aria-hidden />}
  >
    CSV
  </Button>
)
