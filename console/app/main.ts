import { createApp } from 'vue';
import { config } from 'zod/mini';
import App from './App.vue';
import '../components/components.css';
import './theme.css';
import './console.css';

// The page's policy forbids code in strings. Zod would otherwise try it, and the browser would report that.
config({ jitless: true });

createApp(App).mount('#app');
