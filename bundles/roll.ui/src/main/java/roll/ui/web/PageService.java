package roll.ui.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;
import roll.http.Body;
import roll.http.Exchange;
import roll.http.HttpRefusal;
import roll.http.HttpService;

/**
 * The page over HTTP: its files, answers in JSON, and orders, which need the token that only the
 * page itself can read.
 */
public final class PageService implements HttpService {
  private static final Logger LOG = LoggerFactory.getLogger("roll.ui");
  private static final String INDEX = "/index.html";
  private static final String TOKEN = "X-Roll-Token";
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private final Patterns patterns;
  private final String token;
  private final boolean readOnly;

  /**
   * A page.
   *
   * @param token that orders must carry
   * @param readOnly whether no order is taken
   */
  public PageService(Patterns patterns, String token, boolean readOnly) {
    this.patterns = patterns;
    this.token = token;
    this.readOnly = readOnly;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    HEADERS.forEach(exchange::answerHeader);
    try {
      switch (answered(exchange)) {
        case Answer.Json json -> exchange.send(200, "application/json", JsonText.of(json.value()));
        case Answer.Bytes file -> exchange.send(200, file.type(), file.bytes());
      }
    } catch (UserException e) {
      throw new HttpRefusal(400, String.valueOf(e.getMessage()));
    }
  }

  private Answer answered(Exchange exchange) throws IOException, InterruptedException {
    String path = exchange.path();
    if (!path.startsWith("/api/")) {
      requireGet(exchange);
      return path.equals("/") || path.equals(INDEX) ? index() : StaticFiles.of(path);
    }
    Patterns.Match match = patterns.match(exchange.method(), path);
    if (!exchange.method().equals("GET")) {
      requireOrder(exchange.header(TOKEN));
    }
    Map<String, String> query = Query.of(exchange.query());
    try (Body body = exchange.body()) {
      return match.endpoint().answer(new Ask(match.values(), query, body.bytes()));
    } catch (IOException e) {
      LOG.warn("{} {}", exchange.method(), path, e);
      throw e;
    }
  }

  private static void requireGet(Exchange exchange) {
    if (!exchange.method().equals("GET")) {
      throw new HttpRefusal(405, exchange.method() + " is not answered here");
    }
  }

  private void requireOrder(@Nullable String given) {
    if (readOnly) {
      throw new HttpRefusal(403, "this page is read-only");
    }
    byte[] expected = token.getBytes(StandardCharsets.UTF_8);
    if (given == null || !MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) {
      throw new HttpRefusal(403, "an order needs the token of this page; reload it");
    }
  }

  private Answer.Bytes index() throws IOException {
    Answer.Bytes file = StaticFiles.of(INDEX);
    String text = new String(file.bytes(), StandardCharsets.UTF_8).replace("{{token}}", token);
    return new Answer.Bytes(file.type(), text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String refusal(int status, String message) {
    return new String(JsonText.of(Map.of("error", message)), StandardCharsets.UTF_8);
  }
}
