import { createApp } from 'vue';
import { config } from 'zod/mini';
import App from './App.vue';
import '../components/components.css';
import './theme.css';
import './console.css';

// The content security policy forbids `eval`. By default, Zod tries it, and the browser reports a violation.
config({ jitless: true });

createApp(App).mount('#app');
