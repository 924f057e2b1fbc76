import { afterAll, beforeAll } from '@jest/globals';
import { postgresPlaces } from '../../testing/postgres-place.js';
import { startPostgres, type PostgresServer } from '../../testing/postgres-server.js';
import { salesDatabaseContract } from '../../testing/sales-database-contract.js';

let server: PostgresServer;
let newPlace: ReturnType<typeof postgresPlaces>;

beforeAll(async () => {
  server = await startPostgres({ durable: false });
  newPlace = postgresPlaces(server);
});

afterAll(() => server.stop());

salesDatabaseContract('PostgreSQL', () => newPlace());
