import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { createDownloadProps, type DownloadFile } from '../../components/download-link.tsx'

/** The downloads of a list on a phone, where a button for each would take the place of its first row. */
export const DownloadMenu = ({ files }: { readonly files: readonly DownloadFile[] }) => (
  <Menu position="bottom-end" returnFocus>
    <Menu.Target>
      <ActionIcon variant="default" size="input-sm" aria-label="Download">
        <IconDownload size={16} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {files.map((file) => (
        <Menu.Item key={file.format} component="a" {...createDownloadProps(file)}>
          {file.format}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)
