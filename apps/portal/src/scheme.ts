// Runs before the first paint, to avoid a flash of the wrong color scheme. The key is Mantine's.
const storedScheme = localStorage.getItem('mantine-color-scheme-value')
const isDark =
  storedScheme === 'dark' || (storedScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
