package roll.openai.request;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import roll.http.Exchange;
import roll.http.HttpRefusal;
import roll.http.RequestBody;

/** Checks of requests before their parameters are parsed. */
public final class RequestBodies {
  private RequestBodies() {}

  /**
   * Refuses any HTTP method but {@code allowed}.
   *
   * @throws ApiException 405 for another method
   */
  public static void method(Exchange exchange, String allowed) {
    if (!exchange.method().equals(allowed)) {
      exchange.answerHeader("Allow", allowed);
      throw ApiException.status(
          405,
          "Not allowed to %s here, only to %s.".formatted(exchange.method(), allowed),
          "method_not_supported");
    }
  }

  /**
   * Refuses a body whose content type is not JSON: web pages of other sites can make a browser send
   * text, but not JSON.
   *
   * @throws ApiException 415 for another content type
   */
  public static void requireJson(Exchange exchange) {
    String type = Objects.requireNonNullElse(exchange.header("Content-Type"), "");
    if (!type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
      throw ApiException.status(
          415, "Unsupported Content-Type: '" + type + "'; expected application/json.", null);
    }
  }

  /**
   * Reads the body of a request.
   *
   * @throws ApiException if it is too long, or there is no memory for it
   * @throws IOException if it does not arrive
   */
  public static RequestBody read(Exchange exchange) throws IOException {
    try {
      return exchange.body();
    } catch (HttpRefusal e) {
      throw ApiException.status(e.status(), e.getMessage(), null);
    }
  }

  /**
   * Decodes the request body {@code body} as UTF-8.
   *
   * @throws ApiException 400 if it is not UTF-8
   */
  public static String text(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw ApiException.status(400, "The body of the request is not valid UTF-8.", null);
    }
  }
}
