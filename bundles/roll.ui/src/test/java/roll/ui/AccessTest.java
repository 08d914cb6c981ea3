package roll.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;

/** Beyond loopback a certificate and a token are required; the rights of a token. */
@Tag("processes")
class AccessTest extends PageKit {
  private static final String TOKEN = "0123456789abcdef-~._";

  @Test
  void beyondLoopbackItNeedsBoth() throws Exception {
    InetAddress all = InetAddress.getByName("0.0.0.0");
    TestCertificate own = TestCertificate.in(folder);
    String line =
        "host: 0.0.0.0 is open to other machines and needs a token and a certificate; without"
            + " them only 127.0.0.1 is allowed";
    assertEquals(line, complaint(() -> pageAt(place(all, null, null), false, false)));
    assertEquals(line, complaint(() -> pageAt(place(all, TOKEN, null), false, false)));
    assertEquals(line, complaint(() -> pageAt(place(all, null, own.files()), false, false)));
    PageEndpoint page = pageAt(place(all, TOKEN, own.files()), false, false);
    assertTrue(page.address().toString().startsWith("https://0.0.0.0:"));
    assertTrue(page.address().toString().endsWith("/#token=" + TOKEN));
  }

  private static String complaint(org.junit.jupiter.api.function.Executable start) {
    return assertThrows(UserException.class, start).getMessage();
  }

  @ParameterizedTest
  @ValueSource(strings = {"short", "0123456789abcdef 0", "0123456789abcdef#0", "0123456789abcdé"})
  void aTokenIsWhatAnAddressCanHold(String token) {
    assertTrue(complaint(() -> page(token, false, false)).startsWith("token: expected 16–256"));
  }

  @Test
  void whoHasNoTokenSeesNothing() throws Exception {
    URI page = page(TOKEN, false, false).address();
    for (String path : List.of("/api/about", "/api/runs", "/api/events", "/api/nothing")) {
      assertEquals(401, get(page, path).statusCode(), path);
      assertEquals(401, get(page, path, "X-Roll-Token", TOKEN + "x").statusCode(), path);
      assertEquals(401, get(page, path, "Authorization", "Bearer " + TOKEN).statusCode(), path);
    }
    assertEquals(401, post(page, "/api/runs/000000000000/stop", "").statusCode());
    String shown = get(page, "/").body();
    assertTrue(shown.contains("/session.js"), shown);
    assertFalse(shown.contains("roll-token"), shown);
    assertEquals(200, get(page, "/session.js").statusCode());
    assertEquals(200, get(page, "/session.css").statusCode());
    assertEquals(401, post(page, "/api/session", "").statusCode());
    assertEquals(401, post(page, "/api/session", "", "X-Roll-Token", "x").statusCode());
  }

  @Test
  void theHeaderAloneIsEnoughForProgramsAndTheirOrders() throws Exception {
    URI page = page(TOKEN, false, false).address();
    assertEquals(200, get(page, "/api/about", "X-Roll-Token", TOKEN).statusCode());
    String listed = get(page, "/api/runs", "X-Roll-Token", TOKEN).body();
    String id = listed.replaceAll("(?s).*\"id\":\"([0-9a-f]{12})\".*", "$1");
    String path = "/api/runs/" + id + "/pause";
    assertEquals(200, post(page, path, "", "X-Roll-Token", TOKEN).statusCode());
    assertEquals(List.of("pause"), orders);
  }

  /** A browser exchanges it for a cookie, which opens the page and gives no orders by itself. */
  @Test
  void aBrowserGetsACookie() throws Exception {
    TestCertificate own = TestCertificate.in(folder);
    URI page =
        pageAt(place(InetAddress.getLoopbackAddress(), TOKEN, own.files()), false, false).address();
    URI here = URI.create("https://localhost:" + page.getPort() + "/");
    try (HttpClient browser = HttpClient.newBuilder().sslContext(own.trusting()).build()) {
      HttpResponse<String> session =
          browser.send(
              HttpRequest.newBuilder(here.resolve("/api/session"))
                  .header("X-Roll-Token", TOKEN)
                  .POST(HttpRequest.BodyPublishers.noBody())
                  .build(),
              BodyHandlers.ofString());
      assertEquals(200, session.statusCode(), session.body());
      String cookie = session.headers().firstValue("Set-Cookie").orElseThrow();
      assertTrue(cookie.startsWith("__Host-roll-"), cookie);
      for (String rule : List.of("Path=/", "HttpOnly", "SameSite=Strict", "Secure")) {
        assertTrue(cookie.contains("; " + rule), cookie);
      }
      assertFalse(cookie.contains(TOKEN), cookie);
      String sent = "a=b; " + cookie.replaceFirst(";.*", "");
      HttpResponse<String> index = send(browser, here, "Cookie", sent);
      assertTrue(index.body().contains("name=\"roll-token\" content=\""), index.body());
      assertFalse(index.body().contains(TOKEN), index.body());
      assertEquals(200, send(browser, here.resolve("/api/about"), "Cookie", sent).statusCode());
      HttpResponse<String> order =
          browser.send(
              HttpRequest.newBuilder(here.resolve("/api/runs/000000000000/stop"))
                  .header("Cookie", sent)
                  .POST(HttpRequest.BodyPublishers.noBody())
                  .build(),
              BodyHandlers.ofString());
      assertEquals(403, order.statusCode());
      assertEquals(
          401, send(browser, here.resolve("/api/about"), "Cookie", sent + "0").statusCode());
    }
  }

  private static HttpResponse<String> send(HttpClient browser, URI at, String... headers)
      throws Exception {
    return browser.send(
        HttpRequest.newBuilder(at).headers(headers).build(), BodyHandlers.ofString());
  }

  /** After a restart of the bundle, open pages stay valid. */
  @Test
  void theSameOrderHasTheSamePageToken() throws Exception {
    PageSettings order =
        new PageSettings(
            place(InetAddress.getLoopbackAddress(), null, null), List.of(), false, false);
    String before;
    try (PageEndpoint first = start(order)) {
      before = pageToken(first.address());
    }
    try (PageEndpoint again = start(order)) {
      assertEquals(before, pageToken(again.address()));
    }
    PageSettings other =
        new PageSettings(
            place(InetAddress.getLoopbackAddress(), null, null), List.of(), false, false);
    try (PageEndpoint page = start(other)) {
      assertFalse(before.equals(pageToken(page.address())));
    }
    assertFalse(order.toString().contains(order.secret()));
  }
}
