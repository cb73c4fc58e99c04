import { serveMcpStdio } from 'worktrack/mcp';
import { apollo } from './connect.js';

await serveMcpStdio({ mock: apollo(), write: true, allowDestructive: true });
