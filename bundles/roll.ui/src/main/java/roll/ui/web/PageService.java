package roll.ui.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;
import roll.http.Exchange;
import roll.http.HttpRefusal;
import roll.http.HttpService;
import roll.http.RequestBody;
import roll.text.OneLine;

/**
 * The page over HTTP: its files, which are no secret, answers in JSON for who may ask, events, and
 * orders, which need the token that only the page itself can read.
 */
public final class PageService implements HttpService, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("roll.ui");
  private static final String INDEX = "/index.html";
  private static final String SESSION = "/session.html";
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
  private final Access access;
  private final EventStream events;

  /**
   * A page.
   *
   * @param access who may ask, and give orders
   * @param events what open pages are told; closed with this
   */
  public PageService(Patterns patterns, Access access, EventStream events) {
    this.patterns = patterns;
    this.access = access;
    this.events = events;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    HEADERS.forEach(exchange::answerHeader);
    String path = exchange.path();
    String method = exchange.method();
    try {
      if (path.equals("/api/session") && method.equals("POST")) {
        exchange.answerHeader("Set-Cookie", access.session(exchange));
        send(exchange, new Answer.Json(Map.of("line", "this browser may ask from now on")));
      } else if (!path.startsWith("/api/")) {
        send(exchange, file(exchange, path));
      } else {
        access.requireAllowed(exchange);
        if (path.equals("/api/events")) {
          requireGet(method);
          events.serve(exchange);
        } else {
          send(exchange, answered(exchange, path, method));
        }
      }
    } catch (UserException e) {
      throw new HttpRefusal(400, String.valueOf(e.getMessage()));
    }
  }

  private static void send(Exchange exchange, Answer answer) throws IOException {
    switch (answer) {
      case Answer.Json json -> exchange.send(200, "application/json", JsonText.of(json.value()));
      case Answer.Bytes file -> exchange.send(200, file.type(), file.bytes());
    }
  }

  private Answer answered(Exchange exchange, String path, String method)
      throws IOException, InterruptedException {
    if (method.equals("POST")) {
      access.requireOrder(exchange);
    }
    Patterns.Match match = patterns.match(method, path);
    Map<String, String> query = Query.of(exchange.query());
    try (RequestBody body = exchange.body()) {
      return match.endpoint().answer(new Ask(match.values(), query, body.bytes()));
    } catch (IOException e) {
      LOG.warn("{} {}", method, path, e);
      throw e;
    }
  }

  private static void requireGet(String method) {
    if (!method.equals("GET")) {
      throw new HttpRefusal(405, method + " is not answered here");
    }
  }

  private Answer.Bytes file(Exchange exchange, String path) throws IOException {
    requireGet(exchange.method());
    if (!path.equals("/") && !path.equals(INDEX)) {
      return StaticFiles.of(path);
    }
    if (!access.allows(exchange)) {
      return StaticFiles.of(SESSION); // where a browser gets the cookie
    }
    Answer.Bytes file = StaticFiles.of(INDEX);
    String text =
        new String(file.bytes(), StandardCharsets.UTF_8).replace("{{token}}", access.pageToken());
    return new Answer.Bytes(file.type(), text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String refusal(int status, String message) {
    return new String(JsonText.of(Map.of("error", OneLine.of(message))), StandardCharsets.UTF_8);
  }

  /** Ends the events. */
  @Override
  public void close() {
    events.close();
  }
}
