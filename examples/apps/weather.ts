/** A server whose one tool shows its results in a card of its own. The numbers are made up, and always the same. */
import { defineServer, ToolError } from "@causeway/mcp/server";
import { app, apps } from "@causeway/mcp/server/apps";

interface Climate {
  /** Degrees Celsius in the middle of the day's range. */
  readonly mean: number;
  /** Degrees between the middle and either end. */
  readonly swing: number;
  readonly sky: string;
  readonly wind: number;
}

const CLIMATES: ReadonlyMap<string, Climate> = new Map([
  ["Oslo", { mean: 9, swing: 5, sky: "Light clouds", wind: 4 }],
  ["Lisbon", { mean: 19, swing: 6, sky: "Clear sky", wind: 6 }],
  ["Nairobi", { mean: 20, swing: 7, sky: "Showers later", wind: 3 }],
  ["Kyoto", { mean: 14, swing: 8, sky: "Morning fog", wind: 2 }],
]);

const HOURS = 24;
/** The hour in which it is warmest, and the one for which "now" stands. */
const [WARMEST, NOW] = [15, 11];

const weather = app({
  tool: {
    name: "weather",
    title: "Weather",
    description: "The weather of a city over one day",
    annotations: { readOnlyHint: true },
    args: { city: { type: "string", description: "Oslo, Lisbon, Nairobi or Kyoto", required: true } },
    handler({ city }) {
      const climate = CLIMATES.get(city);
      if (climate === undefined) throw new ToolError(`There is no weather here for that city, only for ${cities().join(", ")}`);
      const hours = Array.from({ length: HOURS }, (_, hour) => degrees(climate, hour));
      const day = {
        now: hours[NOW] ?? 0,
        high: Math.max(...hours),
        low: Math.min(...hours),
        sky: climate.sky,
        wind: climate.wind,
      };
      return {
        structured: { city, cities: cities(), hours, ...day },
        // What a client without views shows, and what the model reads.
        content: `${city}: ${day.sky}, ${day.now} °C now, between ${day.low} and ${day.high} °C today, wind ${day.wind} m/s`,
      };
    },
  },
  resource: {
    uri: "ui://weather/card",
    name: "weather_card",
    description: "Draws the result of the tool weather",
    html: await Deno.readTextFile(new URL("./weather.html", import.meta.url)),
    prefersBorder: true,
  },
});

export default defineServer({
  name: "weather",
  title: "City weather",
  version: "1.0.0",
  tools: [weather.tool],
  resources: [weather.resource],
  extensions: [apps()],
});

function cities(): string[] {
  return [...CLIMATES.keys()];
}

/** A day is a wave with a small one on top, so that no two cities look alike. */
function degrees({ mean, swing, wind }: Climate, hour: number): number {
  const turn = (2 * Math.PI * (hour - WARMEST)) / HOURS;
  return Math.round((mean + swing * Math.cos(turn) + Math.sin(turn * wind)) * 10) / 10;
}
