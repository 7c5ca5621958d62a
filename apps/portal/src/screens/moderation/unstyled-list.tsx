import type { ComponentProps } from 'react'
import type { ListPage } from '../../api/pages.ts'
import { DataList } from '../../components/data-list.tsx'

/** A paged list without row padding. */
export const UnstyledList = <Page extends ListPage, Row>({
  className,
  ...listProps
}: Omit<ComponentProps<typeof DataList<Page, Row>>, 'renderContainer'> & {
  readonly className: string | undefined
}) => (
  <DataList
    {...listProps}
    renderContainer={(rows) => (
      <ul className={className} aria-label={listProps.label}>
        {rows}
      </ul>
    )}
  >
    {(row) => <li>{listProps.children(row)}</li>}
  </DataList>
)
