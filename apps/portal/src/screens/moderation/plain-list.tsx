import type { ComponentProps } from 'react'
import type { ListPage } from '../../api/pages.ts'
import { DataList } from '../../components/data-list.tsx'

/** A list whose rows bring their own space around them. */
export const PlainList = <Page extends ListPage, Row>({
  className,
  ...list
}: Omit<ComponentProps<typeof DataList<Page, Row>>, 'frame'> & {
  readonly className: string | undefined
}) => (
  <DataList
    {...list}
    frame={(rows) => (
      <ul className={className} aria-label={list.label}>
        {rows}
      </ul>
    )}
  >
    {(row) => <li>{list.children(row)}</li>}
  </DataList>
)
