import { fileURLToPath } from 'node:url';
import { loadDefinitionFile, loadGame } from '../../definitions/load-game.js';
import type { Game } from '../../definitions/game.js';
import { describeMechanicContract } from '../../testing/mechanic-contract.js';

const sampleGame = (name: string): Game =>
  loadDefinitionFile(
    fileURLToPath(new URL(`../../../fixtures/definitions/${name}.json`, import.meta.url)),
  );

describeMechanicContract('the shipped Lagon Paradis', loadGame('lagon-paradis'));
describeMechanicContract('a game of play symbols only', sampleGame('collect-bare'));
describeMechanicContract('a game with a cap on every symbol', sampleGame('collect-capped'));
describeMechanicContract('a game whose rows are drawn in two segments', sampleGame('collect-wide'));
