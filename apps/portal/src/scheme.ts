// Before anything is shown, so that nobody who chose dark is dazzled first. The name is the one that Mantine keeps it by.
const storedScheme = localStorage.getItem('mantine-color-scheme-value')
const isDark =
  storedScheme === 'dark' || (storedScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
