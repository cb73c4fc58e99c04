import { createApp } from 'vue';
import { config } from 'zod/mini';
import App from './App.vue';
import '../components/components.css';
import './styles/theme.css';
import './styles/shell.css';
import './styles/views.css';
import './styles/requests.css';

// By default, Zod tries to use `eval`, which violates the content security policy.
config({ jitless: true });

createApp(App).mount('#app');
