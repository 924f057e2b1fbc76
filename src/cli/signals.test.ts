import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { abortOnSignals, SignalError } from './signals.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a job under a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('is aborted by %s, and the reason has its exit code', (name, exitCode) => {
    const job = abortOnSignals('nothing was kept');
    process.emit(name, name);
    job.stop();
    expect(job.signal.aborted).toBe(true);
    const reason: unknown = job.signal.reason;
    expect(reason).toBeInstanceOf(SignalError);
    expect(reason).toMatchObject({ exitCode, message: `stopped by ${name}; nothing was kept` });
  });

  test('ends at once at the second signal', () => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    const job = abortOnSignals('nothing was kept');
    process.emit('SIGINT', 'SIGINT');
    expect(kill).not.toHaveBeenCalled();
    process.emit('SIGTERM', 'SIGTERM');
    job.stop();
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGTERM']]);
  });

  test('hears no signal any more when it has stopped', () => {
    const before = process.listenerCount('SIGINT');
    const job = abortOnSignals('nothing was kept');
    expect(process.listenerCount('SIGINT')).toBe(before + 1);
    job.stop();
    expect(process.listenerCount('SIGINT')).toBe(before);
    expect(job.signal.aborted).toBe(false);
  });
});
