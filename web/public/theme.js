// Before anything is drawn: the lamp as the guest left it.
try {
  const theme = JSON.parse(localStorage.getItem('qlub') || '{}').theme;
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the system's choice stands.
}
