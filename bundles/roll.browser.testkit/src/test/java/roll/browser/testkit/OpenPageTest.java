package roll.browser.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.browser.BrowserException;

/** Tests of a small page. */
@Tag("processes")
@Timeout(120)
class OpenPageTest {
  private static final String PAGE =
      """
      <!doctype html><title>Kit</title>
      <style>@media (prefers-color-scheme: dark) { body { background: #000 } }
      #cover { position: fixed; inset: 0 0 auto 0; height: 3000px }</style>
      <label>Name <input id="name"></label>
      <button id="hello" onclick="said.textContent = 'Hello ' + document.querySelector('#name').value">
        Say hello</button>
      <button hidden>Nothing</button>
      <p id="said"></p><div style="height: 2000px"></div>
      <button onclick="document.title = 'far'">Far below</button>
      """;

  private static TestBrowser browser;
  private static HttpServer server;

  @BeforeAll
  static void start() throws IOException {
    browser = TestBrowser.start();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean known = exchange.getRequestURI().getPath().equals("/");
          byte[] page = (known ? PAGE : "none").getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.getResponseHeaders().set("Content-Security-Policy", "img-src 'none'");
          exchange.sendResponseHeaders(known ? 200 : 404, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.stop(0);
    }
    if (browser != null) {
      browser.close();
    }
  }

  private static String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  private static OpenPage page() {
    OpenPage page = browser.open();
    page.go(address());
    return page;
  }

  @Test
  void itIsClickedAndWrittenIn() {
    try (OpenPage page = page()) {
      page.click("#name");
      page.type("Ada <b>");
      page.click("button", "hello");
      page.awaitText("Hello Ada <b>");
      assertEquals("Hello Ada <b>", page.text("#said"));
      page.click("button", "Far below");
      page.await("document.title === 'far'");
      page.reload();
      assertEquals("", page.text("#said"));
    }
  }

  @Test
  void keysGoWhereTheFocusIs() {
    try (OpenPage page = page()) {
      page.press("Tab", "a", "b");
      assertEquals("input Name", page.focused());
      page.press("Tab");
      assertEquals("button Say hello", page.focused());
      page.press("Enter");
      page.awaitText("Hello ab");
      page.press("Shift+Tab", "c", "Tab", "Space");
      page.awaitText("c");
      assertNotEquals("Hello ab", page.text("#said"));
    }
    assertThrows(IllegalArgumentException.class, () -> KeyStroke.of("Hyper"));
  }

  @Test
  void whatIsHiddenCoveredOrGoneIsNotClicked() {
    try (OpenPage page = page()) {
      Duration soon = Duration.ofMillis(200);
      assertThrows(AssertionError.class, () -> page.await("false", soon));
      page.evaluate(
          "document.body.append(Object.assign(document.createElement('i'), {id: 'cover'}))");
      assertThrows(AssertionError.class, () -> page.click("button", "hello", soon));
    }
  }

  @Test
  void complaintsAreHeard() {
    try (OpenPage page = page()) {
      page.await("document.readyState === 'complete'");
      page.forgetComplaints(); // of a missing icon
      page.evaluate("console.log('quiet'); 1");
      assertEquals(List.of(), page.complaints());
      page.evaluate("console.error('loud', 1)");
      page.evaluate("setTimeout(() => { throw new Error('broken') })");
      page.evaluate("fetch('/missing').then(() => 1)");
      page.evaluate("fetch('http://127.0.0.1:1/').catch(() => 1)");
      page.evaluate("document.body.append(Object.assign(new Image(), {src: '/picture'}))");
      for (String heard :
          List.of("\"loud\" 1", "broken", "404", "ERR_UNSAFE_PORT", "Content Security Policy")) {
        assertTrue(heard(page, heard), () -> heard + " is not in " + page.complaints());
      }
      assertThrows(BrowserException.class, () -> page.evaluate("nothing.there"));
    }
  }

  private static boolean heard(OpenPage page, String words) {
    for (int i = 0; i < 100; i++) {
      if (page.complaints().stream().anyMatch(complaint -> complaint.contains(words))) {
        return true;
      }
      page.evaluate("new Promise(done => setTimeout(done, 20))");
    }
    return false;
  }

  @Test
  void itsScreenIsDarkNarrowAndStill() throws IOException {
    try (OpenPage page = page()) {
      page.show(PageScreen.DARK);
      var picture = ImageIO.read(new ByteArrayInputStream(page.picture(PageScreen.DARK)));
      assertEquals(0xFF000000, picture.getRGB(1270, 890));
      assertEquals(1280, picture.getWidth());
      page.show(PageScreen.NARROW);
      picture = ImageIO.read(new ByteArrayInputStream(page.picture(PageScreen.NARROW)));
      assertEquals(0xFFFFFFFF, picture.getRGB(390, 790));
      assertEquals(400, page.evaluate("innerWidth").getAsInt());
      String still = "matchMedia('(prefers-reduced-motion: reduce)').matches";
      assertTrue(page.evaluate(still).getAsBoolean());
      page.show(PageScreen.LIGHT);
      assertFalse(page.evaluate(still).getAsBoolean());
    }
  }

  @Test
  void whatIsBesideSharesStorage() {
    try (OpenPage page = page();
        OpenPage beside = browser.beside(page);
        OpenPage other = page()) {
      beside.go(address());
      page.evaluate("localStorage.setItem('a', 'b')");
      assertEquals("b", beside.evaluate("localStorage.getItem('a')").getAsString());
      assertTrue(other.evaluate("localStorage.getItem('a')").isJsonNull());
    }
  }
}
