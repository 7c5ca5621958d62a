import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { writeSearch } from '../app/search.ts'

interface Props {
  /** `/portal/api/audit.csv` */
  readonly address: string
  /** The workspace and the filters, as the list has them. */
  readonly query: Readonly<Record<string, string | undefined>>
}

/** Downloads what is filtered as a table for other programs. */
export const CsvLink = ({ address, query }: Props) => (
  <Button
    component="a"
    variant="default"
    href={`${address}${writeSearch(query)}`}
    download
    leftSection={<IconDownload size={16} aria-hidden />}
  >
    CSV
  </Button>
)
