package roll.openai.request;

import java.util.Objects;
import roll.http.Exchange;

/** The API key of a request, as clients of OpenAI or of Anthropic send it. */
public final class RequestKey {
  private static final String BEARER = "Bearer ";

  private RequestKey() {}

  /** Returns the bearer token or the header {@code x-api-key}; empty if there is neither. */
  public static String of(Exchange exchange) {
    String given = Objects.requireNonNullElse(exchange.header("Authorization"), "");
    return given.startsWith(BEARER)
        ? given.substring(BEARER.length()).strip()
        : Objects.requireNonNullElse(exchange.header("x-api-key"), "");
  }
}
