import { describe, expect, test } from "vitest";
import { isAllowedHost, isOwnOrigin } from "./guard.ts";

const hosts = { allowHosts: ["box.lan", "proxy.example:8443", "tls.example:443"], port: 4780 };

describe("the Host header", () => {
  test.each([
    ["127.0.0.1:4780", true],
    ["localhost:4780", true],
    ["LOCALHOST:4780", true],
    ["[::1]:4780", true],
    ["box.lan", true],
    ["box.lan:4780", true],
    ["box.lan:443", true],
    ["box.lan:9999", false],
    ["proxy.example:8443", true],
    ["proxy.example", false],
    ["proxy.example:4780", false],
    ["tls.example", true],
    ["127.0.0.1", false],
    ["127.0.0.1:4781", false],
    ["localhost.evil.example:4780", false],
    ["localhost.:4780", false],
    ["127.0.0.1:4780@evil.example", false],
    ["evil.example", false],
    ["0.0.0.0:4780", false],
    ["127.1:4780", false],
    ["[::ffff:127.0.0.1]:4780", false],
    ["localhost:04780x", false],
    ["", false],
  ])("%j is allowed: %j", (host, allowed) => {
    expect(isAllowedHost(host, hosts)).toBe(allowed);
  });

  test("a server on port 80 is reached without a port", () => {
    expect(isAllowedHost("localhost", { allowHosts: [], port: 80 })).toBe(true);
  });
});

describe("the Origin header", () => {
  test.each([
    ["http://127.0.0.1:4780", "127.0.0.1:4780", true],
    ["http://localhost:4780", "localhost:4780", true],
    ["http://[::1]:4780", "[::1]:4780", true],
    ["http://box.lan:4780", "box.lan:4780", true],
    ["https://box.lan", "box.lan", true],
    ["http://box.lan", "box.lan", true],
    ["https://proxy.example:8443", "proxy.example:8443", true],
    ["http://localhost:4780", "127.0.0.1:4780", false],
    ["https://localhost:4780", "localhost:4780", false],
    ["http://localhost:4781", "localhost:4780", false],
    ["http://localhost", "localhost:4780", false],
    ["http://localhost:4780.evil.example", "localhost:4780", false],
    ["http://localhost:4780@evil.example", "localhost:4780", false],
    ["http://localhost:4780/", "localhost:4780", false],
    ["http://evil.example", "localhost:4780", false],
    ["null", "localhost:4780", false],
    ["file://", "localhost:4780", false],
    ["chrome-extension://abc", "localhost:4780", false],
    ["", "localhost:4780", false],
  ])("%j at %j is our own: %j", (origin, host, own) => {
    expect(isOwnOrigin(origin, host)).toBe(own);
  });
});
