import { openPostgresStore } from "../../src/store/postgres/open-postgres-store.ts";
import { aloneIn, askAlone, togetherIn } from "../ask/asking.ts";
import { type Asker, AskingClient } from "../ask/client.ts";
import { type AskingPlace, inBeckon } from "../ask/places.ts";
import { withDirectory } from "../directories.ts";
import { atMost, figure, type Figures, noTarget, upTo, withinSpread } from "../figures.ts";
import { type Opener, takeTurns, withLanes } from "../lanes.ts";
import type { Sizes } from "../sizes.ts";
import { fillLogs } from "../seed-log.ts";
import { type Database, knowsProcessor, type Postgres, withPostgres } from "./database.ts";
import { inNodes, inReference, withNodes } from "./places.ts";
import { withCountedTrips } from "./trips.ts";

const TARGETS = { asks: atMost(2), trips: upTo(10) };
const BARE = "a bare program over pg that makes the same commits and checks nothing";
const SQLITE = "one server on SQLite";
const SHORT_LOG = 100;

/** Servers on a PostgreSQL beside a bare program on the same, and beside one server on SQLite. */
export function measurePostgresAsk(sizes: Sizes): Promise<Figures> {
  return withPostgres(async (postgres) => ({
    ...(await measureAsks(postgres, sizes)),
    ...(await measureTrips(postgres, sizes)),
  }));
}

async function measureAsks(postgres: Postgres, sizes: Sizes): Promise<Figures> {
  const databases = {
    bare: await withTables(postgres, "bare"),
    one: await postgres.createDatabase("one"),
    two: await postgres.createDatabase("two"),
    three: await postgres.createDatabase("three"),
  };
  const openers: Record<Lane, Opener<AskingPlace>> = {
    bare: inReference(databases.bare.url),
    one: inNodes(databases.one.url, 1),
    two: inNodes(databases.two.url, 2),
    three: inNodes(databases.three.url, 3),
    sqlite: inBeckon({ inDirectory: withDirectory }),
  };
  return withLanes<Lane, AskingPlace, Figures>(openers, async (places) => {
    const { bare, one, sqlite } = places;
    const alone = await aloneIn({ bare, one, sqlite }, sizes);
    const before = await costsOf(databases);
    const together = await togetherIn(places, sizes);
    const after = await costsOf(databases);
    const { sessions, each } = sizes.asks;
    // The round that warms up has asked too.
    const asks = sessions * each * (sizes.rounds + 1);
    const rate = (lane: Lane) => together[lane].map(({ perSecond }) => perSecond);
    const cost = (lane: "one" | "bare", of: keyof Costs) => [
      (after[lane][of] - before[lane][of]) / asks,
    ];
    const several = (count: string, lane: Lane) =>
      figure({
        what: `asks in ${sessions} sessions at once, by ${count} on one PostgreSQL`,
        reference: BARE,
        unit: "asks/s",
        beckon: rate(lane),
        bare: rate("bare"),
        target: TARGETS.asks,
        isRate: true,
      });
    return {
      "postgres.alone": figure({
        what: "ask, answer, result, on PostgreSQL, one after the other",
        reference: BARE,
        unit: "ms",
        beckon: alone.one,
        bare: alone.bare,
        target: noTarget,
      }),
      "postgres.aloneOverSqlite": figure({
        what: "ask, answer, result, on PostgreSQL, one after the other",
        reference: SQLITE,
        unit: "ms",
        beckon: alone.one,
        bare: alone.sqlite,
        target: noTarget,
      }),
      "postgres.oneNode": several("one server", "one"),
      "postgres.twoNodes": several("two servers", "two"),
      "postgres.threeNodes": several("three servers", "three"),
      "postgres.oneNodeOverSqlite": figure({
        what: `asks in ${sessions} sessions at once, by one server on PostgreSQL`,
        reference: SQLITE,
        unit: "asks/s",
        beckon: rate("one"),
        bare: rate("sqlite"),
        target: noTarget,
        isRate: true,
      }),
      "postgres.serverCpu": figure({
        what: `processor time of one server for an ask, with ${sessions} at once`,
        reference: SQLITE,
        unit: "ms",
        beckon: together.one.map(({ cpuMs }) => cpuMs),
        bare: together.sqlite.map(({ cpuMs }) => cpuMs),
        target: noTarget,
      }),
      ...(knowsProcessor && {
        "postgres.databaseCpu": figure({
          what: "processor time of the connections in PostgreSQL for the same",
          reference: BARE,
          unit: "ms",
          beckon: cost("one", "cpuMs"),
          bare: cost("bare", "cpuMs"),
          target: noTarget,
        }),
      }),
      "postgres.kept": figure({
        what: "what an ask adds to the tables and their indexes",
        reference: BARE,
        unit: "kB",
        beckon: cost("one", "kB"),
        bare: cost("bare", "kB"),
        target: noTarget,
      }),
    };
  });
}

/** One client, one server: how often a connection waits for the database, and what it logs. */
async function measureTrips(postgres: Postgres, sizes: Sizes): Promise<Figures> {
  const { rounds, asks } = sizes;
  const counted =
    (database: Database, open: (url: string) => Opener<AskingPlace>): Opener<TripLane> =>
    (measure) =>
      withCountedTrips(database.url, ({ url, trips }) =>
        open(url)(async (place) => measure({ client: await place.openClient(), trips })),
      );
  const bare = await withTables(postgres, "bare_trips");
  const beckon = await postgres.createDatabase("trips");
  const openers = {
    bare: counted(bare, inReference),
    beckon: counted(beckon, (url) => inNodes(url, 1)),
  };
  const took = await withLanes(openers, (lanes) =>
    takeTurns(lanes, rounds, async ({ client, trips }) => {
      const before = { trips: trips(), log: await beckon.logBytes() };
      await askAlone(client, asks.alone);
      return {
        trips: (trips() - before.trips) / asks.alone,
        logKb: ((await beckon.logBytes()) - before.log) / asks.alone / 1_000,
      };
    }),
  );
  return {
    "postgres.trips": figure({
      what: "round trips to PostgreSQL for an ask, one after the other, hints and looks included",
      reference: BARE,
      unit: "trips",
      beckon: took.beckon.map((one) => one.trips),
      bare: took.bare.map((one) => one.trips),
      target: TARGETS.trips,
    }),
    "postgres.log": figure({
      what: "what PostgreSQL writes to its write-ahead log for the same",
      reference: BARE,
      unit: "kB",
      beckon: took.beckon.map((one) => one.logKb),
      bare: took.bare.map((one) => one.logKb),
      target: noTarget,
    }),
  };
}

/** The same ask in a session with a long log beside one with a short log, on one server. */
export function measurePostgresGrowth({ longLog, rounds, asks }: Sizes): Promise<Figures> {
  return withPostgres(async (postgres) => {
    const { url } = await postgres.createDatabase("growth");
    const { store } = await openPostgresStore({ url });
    await fillLogs(store, { short: SHORT_LOG, long: longLog });
    await store.close();
    const took = await withNodes(url, 1, async ([place]) => {
      if (!place) throw new Error("There is no server.");
      const clients = {
        bare: await AskingClient.open(place, "short", SHORT_LOG),
        beckon: await AskingClient.open(place, "long", longLog),
      };
      return takeTurns(clients, rounds, (client, isCounted) =>
        askAlone(client, isCounted ? asks.alone : asks.before),
      );
    });
    return {
      "postgres.growth": figure({
        what: `an ask on PostgreSQL in a session of ${longLog} events`,
        reference: `the same in one of ${SHORT_LOG}`,
        unit: "ms",
        ...took,
        target: withinSpread,
      }),
    };
  });
}

type Lane = "bare" | "one" | "two" | "three" | "sqlite";

interface TripLane {
  client: Asker;
  trips: () => number;
}

interface Costs {
  kB: number;
  cpuMs: number;
}

async function costsOf(databases: Record<"one" | "bare", Database>) {
  const of = async (database: Database): Promise<Costs> => ({
    kB: (await database.bytes()) / 1_000,
    cpuMs: knowsProcessor ? await database.cpuMs() : 0,
  });
  return { one: await of(databases.one), bare: await of(databases.bare) };
}

/** With Beckon's tables, for a program that makes none itself. */
async function withTables(postgres: Postgres, name: string): Promise<Database> {
  const database = await postgres.createDatabase(name);
  await (await openPostgresStore({ url: database.url })).store.close();
  return database;
}
