import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { stringifySearchParams } from '../app/search-params.ts'

interface Props {
  /** `/portal/api/audit.csv` */
  readonly path: string
  /** The workspace and the filters, as the list has them. */
  readonly query: Readonly<Record<string, string | undefined>>
}

/** Downloads what is filtered as a table for other programs. */
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
