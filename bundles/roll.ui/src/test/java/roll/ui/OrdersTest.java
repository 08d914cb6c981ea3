package roll.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import roll.ui.web.RawRequest;

/** Orders from the page, and their access control. */
@Tag("framework")
class OrdersTest extends PageKit {
  private static final String SWAP =
      "{\"kind\":\"loss\",\"from\":\"ppo\",\"to\":\"gspo\",\"overrides\":[\"a.b=1\"]}";

  private String own(URI page) throws Exception {
    return "/api/runs/" + runId(page);
  }

  private HttpResponse<String> order(URI page, String path, String body) throws Exception {
    return post(page, path, body, "X-Roll-Token", pageToken(page));
  }

  @Test
  void runsTakeOrders() throws Exception {
    URI page = page(null, false, false).address();
    assertEquals(
        "{\"line\":\"run 1 pauses after the current step\"}",
        order(page, own(page) + "/pause", "").body());
    assertEquals("{\"line\":\"run 1 continues\"}", order(page, own(page) + "/resume", "").body());
    assertTrue(
        order(page, own(page) + "/stop", "")
            .body()
            .startsWith("{\"line\":\"run 1 ends after the current step, saved in "));
    assertEquals(
        "{\"line\":\"run 1: loss ppo → gspo from the next step on\",\"notices\":[\"x: left out\"]}",
        order(page, own(page) + "/swap", SWAP).body());
    assertEquals(List.of("pause", "resume", "stop", "swap loss ppo gspo [a.b=1]"), orders);
  }

  @Test
  void mistakesAreOneLine() throws Exception {
    URI page = page(null, false, true).address();
    assertMistake(page, "/swap", "{", "body: expected a JSON object");
    assertMistake(page, "/swap", "[1]", "body: expected a JSON object");
    assertMistake(
        page, "/swap", "{\"kind\":\"loss\"}", "the field 'from' must be a text of 1 to 1000");
    assertMistake(page, "/swap", "{\"kind\":7}", "the field 'kind' must be a text of 1 to 1000");
    assertMistake(page, "/swap", "{\"kidn\":\"loss\"}", "the body has the field 'kidn' (allowed:");
    assertMistake(
        page,
        "/swap",
        SWAP.replace("[\"a.b=1\"]", "\"a\""),
        "the field 'overrides' must be a list");
    assertMistake(
        page, "/swap", SWAP.replace("gspo", "unknown"), "swap: no loss 'unknown' is registered");
    HttpResponse<String> none = order(page, "/api/runs/000000000000/pause", "");
    assertEquals(404, none.statusCode());
    assertEquals(405, get(page, own(page) + "/pause").statusCode());
    HttpResponse<String> name = order(page, "/api/deploy?name=..%2Fx.jar", "PK");
    assertEquals(400, name.statusCode());
    assertTrue(name.body().contains("deploy: name must be that of a jar"), name.body());
    assertEquals(List.of(), orders);
  }

  private void assertMistake(URI page, String path, String body, String line) throws Exception {
    HttpResponse<String> answer = order(page, own(page) + path, body);
    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(
        answer.body().startsWith("{\"error\":\"" + line.replace("'", "\\u0027")), answer.body());
  }

  @Test
  void jarsComeOnlyWhereTheyMay() throws Exception {
    URI open = page(null, false, true).address();
    assertEquals(200, order(open, "/api/deploy?name=maze.jar", "PK").statusCode());
    assertEquals(200, order(open, "/api/undeploy", "{\"name\":\"maze\"}").statusCode());
    assertEquals(List.of("deploy maze.jar", "undeploy maze"), orders);
    orders.clear();
    URI closed = page(null, false, false).address();
    assertEquals(403, order(closed, "/api/deploy?name=maze.jar", "PK").statusCode());
    assertEquals(403, order(closed, "/api/undeploy", "{\"name\":\"maze\"}").statusCode());
    String large = "x".repeat((16 << 20) + 1);
    assertEquals(413, order(open, "/api/deploy?name=maze.jar", large).statusCode());
    assertEquals(List.of(), orders);
  }

  /** Every order there is: one that is added and not guarded fails here. */
  @Test
  void noOrderIsTakenFromAnybodyElse() throws Exception {
    URI page = page(null, false, true).address();
    URI readOnly = page(null, true, true).address();
    String id = runId(page);
    String token = pageToken(page);
    List<String> all = posts();
    assertTrue(all.size() >= 6, all::toString);
    for (String pattern : all) {
      String path =
          pattern.substring("POST ".length()).replace("{id}", id).replaceAll("\\{[a-z]+}", "0");
      path += path.equals("/api/deploy") ? "?name=maze.jar" : "";
      assertRefused(pattern, post(page, path, SWAP).statusCode());
      assertRefused(pattern, post(page, path, SWAP, "X-Roll-Token", "").statusCode());
      assertRefused(pattern, post(page, path, SWAP, "X-Roll-Token", token + "0").statusCode());
      assertRefused(
          pattern, post(page, path, SWAP, "X-Roll-Token", token.substring(1)).statusCode());
      assertRefused(
          pattern, post(page, path, SWAP, "X-Roll-Token", pageToken(readOnly)).statusCode());
      assertRefused(
          pattern, post(page, path, SWAP, "Cookie", "X-Roll-Token=" + token).statusCode());
      assertRefused(
          pattern,
          post(page, path, SWAP, "X-Roll-Token", token, "Origin", "http://evil.example")
              .statusCode());
      assertRefused(
          pattern, post(page, path, SWAP, "X-Roll-Token", token, "Origin", "null").statusCode());
      assertRefused(
          pattern,
          post(
                  page,
                  path,
                  SWAP,
                  "X-Roll-Token",
                  token,
                  "Origin",
                  "http://127.0.0.1:" + (page.getPort() + 1))
              .statusCode());
      assertRefused(pattern, raw(page, path, "evil.example", token));
      assertRefused(pattern, raw(page, path, "127.0.0.1.evil.example", token));
      HttpResponse<String> still = post(readOnly, path, SWAP, "X-Roll-Token", pageToken(readOnly));
      assertRefused(pattern, still.statusCode());
      assertTrue(still.body().contains("this page is read-only"), still.body());
    }
    assertEquals(List.of(), orders);
    assertEquals(
        200, post(page, "/api/runs/" + id + "/pause", "", "X-Roll-Token", token).statusCode());
    assertEquals(List.of("pause"), orders);
  }

  private static void assertRefused(String pattern, int status) {
    assertEquals(403, status, pattern);
  }

  /** With a header Host that HttpClient would not send. */
  private static int raw(URI page, String path, String host, String token) throws Exception {
    String said =
        RawRequest.answer(
            page.getPort(),
            "POST %s HTTP/1.1\r\nHost: %s\r\nX-Roll-Token: %s\r\nContent-Length: 0\r\n\r\n"
                .formatted(path, host, token)
                .getBytes(StandardCharsets.US_ASCII),
            false);
    assertTrue(said.startsWith("HTTP/1.1 "), said);
    return Integer.parseInt(said.substring(9, 12));
  }

  @Test
  void answersSayWhatABrowserMayDoWithThem() throws Exception {
    URI page = page(null, false, false).address();
    for (String path : List.of("/", "/main.js", "/api/about", "/api/nothing")) {
      var headers = get(page, path).headers();
      assertTrue(
          headers
              .firstValue("Content-Security-Policy")
              .orElseThrow()
              .startsWith("default-src 'none'; script-src 'self'"),
          path);
      assertEquals("nosniff", headers.firstValue("X-Content-Type-Options").orElseThrow());
      assertEquals("no-store", headers.firstValue("Cache-Control").orElseThrow());
      assertEquals("no-referrer", headers.firstValue("Referrer-Policy").orElseThrow());
      for (String policy : List.of("Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy")) {
        assertEquals("same-origin", headers.firstValue(policy).orElseThrow());
      }
      assertFalse(headers.firstValue("Access-Control-Allow-Origin").isPresent());
      assertFalse(headers.firstValue("Server").isPresent());
    }
  }
}
