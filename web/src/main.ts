import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/play.css';
import './styles/large-print.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { register } from './offline';
import { speak } from './words/index.svelte';

// A club that was updated has no more parts of the page that is open: load the new one, but once.
addEventListener('vite:preloadError', (event) => {
  const before = Number(sessionStorage.getItem('qlub-reloaded') ?? 0);
  if (!navigator.onLine || Date.now() - before < 60_000) return;
  sessionStorage.setItem('qlub-reloaded', String(Date.now()));
  event.preventDefault();
  location.reload();
});

const target = document.getElementById('club');
if (target)
  speak()
    .then(() => {
      mount(App, { target });
      register();
    })
    .catch(() => document.getElementById('sorry')?.removeAttribute('hidden'));
