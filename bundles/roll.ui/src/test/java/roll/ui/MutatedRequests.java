package roll.ui;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/** Valid requests of the page, and random mutations of them. */
final class MutatedRequests {
  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "PATCH", "get", "G\0T");

  private static final List<String> PATHS =
      List.of(
          "/",
          "/index.html",
          "/main.js",
          "/lib/uPlot.esm.js",
          "/api/about",
          "/api/runs",
          "/api/runs?q=a%3E1+b%3Dc&columns=seed,max(a/b)&sort=-a/b&archived=1&format=csv",
          "/api/fields",
          "/api/runs/ID/metrics?names=a,b&format=csv",
          "/api/runs/ID/notes",
          "/api/runs/ID/delete",
          "/api/runs/ID/trajectories/0/0/replay",
          "/api/runs/ID",
          "/api/runs/ID/series?names=a,b&from=0&to=9&points=800",
          "/api/runs/ID/phases?from=0&to=5",
          "/api/runs/ID/log?lines=200",
          "/api/runs/ID/trajectories?step=0&q=x&filter=failed&sort=score&offset=0&limit=50",
          "/api/runs/ID/trajectories/0/0",
          "/api/runs/ID/trajectories/0/0/frames/0",
          "/api/runs/ID/pictures/a.png",
          "/api/runs/ID/plugins",
          "/api/runs/ID/pause",
          "/api/runs/ID/swap",
          "/api/runs/000000000000/stop",
          "/api/deploy?name=x.jar",
          "/api/undeploy",
          "/api/session",
          "/api/services",
          "/api/devices",
          "/api/nodes");

  private static final List<String> BODIES =
      List.of(
          "",
          "{}",
          "{\"kind\":\"loss\",\"from\":\"ppo\",\"to\":\"gspo\",\"overrides\":[\"a=b\"]}",
          "{\"kind\":7,\"from\":null,\"to\":[],\"overrides\":{}}",
          "{\"name\":\"../../x\"}",
          "{\"note\":\"x\",\"tags\":[\"a\"],\"archived\":true}",
          "{\"folder\":\"/\"}",
          "PK\u0003\u0004",
          "[".repeat(5000),
          "{\"a\":1,\"a\":2}",
          "\"\\ud800\"",
          "1e999999",
          "\u00ff\u00fe\u0000");

  /** Replacements and insertions. */
  private static final List<String> SPOILS =
      List.of(
          "%",
          "%00",
          "%2e%2e%2f",
          "..%2f",
          "%252e%252e/",
          "%c0%ae%c0%ae/",
          "%ff%fe",
          "%u0041",
          "../",
          "..\\",
          "/../../../../etc/passwd",
          "//evil.example/",
          ";x=y",
          "?",
          "&",
          "=",
          "#",
          "-1",
          "99999999999999999999",
          "NaN",
          "1e9",
          "0x10",
          "x".repeat(20_000),
          "\r\n",
          "\r\n\r\n",
          "\0",
          "\u00e9\u00ff",
          "<script>alert(1)</script>",
          "chunked",
          "Transfer-Encoding: chunked\r\n",
          "Content-Length: 3\r\n",
          "Content-Length: -1\r\n",
          "Host: evil.example\r\n",
          "Origin: null\r\n",
          "Cookie: a=b; __Host-roll-1=x\r\n",
          "Expect: 100-continue\r\n",
          "Connection: close\r\n",
          "X-Roll-Token: \r\n");

  private final RandomGenerator chance;
  private final String run;
  private final String token;

  /**
   * Requests for the run {@code run}, half of the changing ones with the right {@code token}.
   *
   * @param chance decides
   */
  MutatedRequests(RandomGenerator chance, String run, String token) {
    this.chance = chance;
    this.run = run;
    this.token = token;
  }

  private <T> T any(List<T> of) {
    return of.get(chance.nextInt(of.size()));
  }

  /** The next one. */
  byte[] next() {
    String body = any(BODIES);
    String text =
        any(METHODS.subList(0, chance.nextInt(3) == 0 ? METHODS.size() : 2))
            + " "
            + any(PATHS).replace("ID", run)
            + " HTTP/1."
            + chance.nextInt(2)
            + "\r\nHost: localhost\r\n"
            + (chance.nextBoolean() ? "X-Roll-Token: " + token + "\r\n" : "")
            + "Content-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    for (int i = chance.nextInt(4); i > 0; i--) {
      text = spoiled(text);
    }
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private String spoiled(String text) {
    int from = chance.nextInt(text.length() + 1);
    int to = Math.min(text.length(), from + chance.nextInt(12));
    return switch (chance.nextInt(6)) {
      case 0 -> text.substring(0, from) + text.substring(to);
      case 1 -> text.substring(0, from) + text.substring(from, to).repeat(3) + text.substring(to);
      case 2 -> text.substring(0, from) + (char) chance.nextInt(256) + text.substring(to);
      case 3 -> text.substring(0, from); // cut
      case 4 -> inPath(text);
      default -> text.substring(0, from) + any(SPOILS) + text.substring(from);
    };
  }

  private String inPath(String text) {
    int begin = text.indexOf(' ') + 1;
    int end = text.indexOf(" HTTP");
    if (begin == 0 || end <= begin) {
      return any(SPOILS) + text;
    }
    int at = chance.nextInt(begin, end + 1);
    return text.substring(0, at) + any(SPOILS) + text.substring(at);
  }
}
