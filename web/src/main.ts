import './styles/tokens.css';
import './styles/club.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { register } from './offline';
import { speak } from './words/index.svelte';

const target = document.getElementById('club');
if (target)
  void speak().then(() => {
    mount(App, { target });
    register();
  });
