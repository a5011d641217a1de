export * from './service/start-server.js';
export {startTerminal} from './service/terminal/start-terminal.js';
export type {
  QueuedTerminalAnswer,
  ReceivedCommand,
  StartTerminalOptions,
  TerminalAnswer,
  TerminalFault,
  TerminalOrder,
  TestTerminal,
  VirtualType,
} from './service/terminal/test-terminal.js';
