import type { Client } from 'pg';

/**
 * Does some work in a transaction, which is committed at its end and rolled back where it fails.
 *
 * @param begin - The statement that begins it.
 */
export async function inTransaction<T>(
  client: Client,
  begin: string,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(begin);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // Over a connection that was cut nothing can be said any more: the server rolls back by itself.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
