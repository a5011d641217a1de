export * from './service/start-server.js';
