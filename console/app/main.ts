import { createApp } from 'vue';
import { config } from 'zod/mini';
import App from './App.vue';
import '../components/components.css';
import './theme.css';
import './console.css';

// By default, Zod tries to use `eval`, which violates the content security policy.
config({ jitless: true });

createApp(App).mount('#app');
