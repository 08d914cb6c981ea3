package roll.ui.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;
import roll.http.Exchange;
import roll.http.HttpRefusal;
import roll.http.HttpService;
import roll.http.RequestBody;
import roll.text.OneLine;

/**
 * The page over HTTP: its files, which are not secret, answers in JSON, events, and orders, which
 * need the token that only the page itself can read.
 */
public final class PageService implements HttpService, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("roll.ui");
  private static final String INDEX = "/index.html";
  private static final String SESSION = "/session.html";
  private static final String FOLDER = "/roll/ui/page";
  private static final Pattern RESOURCE =
      Pattern.compile("(/[A-Za-z0-9_-]+){0,4}/[A-Za-z0-9_.-]+\\.[a-z]+");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8");
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

  private final Router router;
  private final AccessControl access;
  private final EventStream events;

  /**
   * Creates the HTTP service of a live page.
   *
   * @param events sent to open pages; closed with this
   */
  public PageService(Router router, AccessControl access, EventStream events) {
    this.router = router;
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
        send(exchange, new ApiAnswer.Json(Map.of("line", "this browser has access")));
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

  private static void send(Exchange exchange, ApiAnswer answer) throws IOException {
    switch (answer) {
      case ApiAnswer.Json json -> exchange.send(200, "application/json", JsonText.of(json.value()));
      case ApiAnswer.Bytes file -> exchange.send(200, file.type(), file.bytes());
    }
  }

  private ApiAnswer answered(Exchange exchange, String path, String method)
      throws IOException, InterruptedException {
    if (method.equals("POST")) {
      access.requireOrder(exchange);
    }
    Router.Match match = router.match(method, path);
    Map<String, String> query = ApiRequest.parameters(exchange.query());
    try (RequestBody body = exchange.body()) {
      ApiRequest request = new ApiRequest(match.values(), query, body.bytes());
      try {
        return match.endpoint().answer(request);
      } catch (IOException e) { // a full disk, a folder of another user
        LOG.warn("{} {}", method, path, e);
        throw new HttpRefusal(500, OneLine.of(e));
      }
    }
  }

  private static void requireGet(String method) {
    if (!method.equals("GET")) {
      throw new HttpRefusal(405, method + " is not answered here");
    }
  }

  private ApiAnswer.Bytes file(Exchange exchange, String path) throws IOException {
    requireGet(exchange.method());
    if (!path.equals("/") && !path.equals(INDEX)) {
      return resource(path);
    }
    if (!access.allows(exchange)) {
      return resource(SESSION); // exchanges the token for the cookie
    }
    ApiAnswer.Bytes file = resource(INDEX);
    String text =
        new String(file.bytes(), StandardCharsets.UTF_8).replace("{{token}}", access.pageToken());
    return new ApiAnswer.Bytes(file.type(), text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns the file of the page at {@code path}.
   *
   * @throws HttpRefusal 404 if there is none
   */
  private static ApiAnswer.Bytes resource(String path) throws IOException {
    String type =
        RESOURCE.matcher(path).matches()
            ? TYPES.get(path.substring(path.lastIndexOf('.') + 1))
            : null;
    try (InputStream in =
        type == null ? null : PageService.class.getResourceAsStream(FOLDER + path)) {
      if (in == null || type == null) {
        throw new HttpRefusal(404, "nothing is at " + path);
      }
      return new ApiAnswer.Bytes(type, in.readAllBytes());
    }
  }

  @Override
  public String refusal(int status, String message) {
    return new String(JsonText.of(Map.of("error", OneLine.of(message))), StandardCharsets.UTF_8);
  }

  /** Ends the event streams of the live page. */
  @Override
  public void close() {
    events.close();
  }
}
