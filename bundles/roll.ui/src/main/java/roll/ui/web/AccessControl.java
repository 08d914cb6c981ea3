package roll.ui.web;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import roll.http.Exchange;
import roll.http.HttpRefusal;

/**
 * Access control for the live page and its API. Where there is a token, each request needs it: in
 * the header {@code X-Roll-Token}, or as a cookie that it was exchanged for. An order (POST) needs
 * that header in any case, with the token or with the page token, which only the page itself can
 * read: a page of another site can have a browser send cookies, but not this header.
 *
 * <p>The cookie and the page token are derived from the secret of the order, so that they stay
 * valid while that is the same, and do not reveal it.
 */
public final class AccessControl {
  /** The HTTP header that carries the access token. */
  public static final String HEADER = "X-Roll-Token";

  private final @Nullable String token;
  private final boolean readOnly;
  private final String page;
  private final String cookie;
  private final String cookieName;
  private final String cookieRules;

  /**
   * Creates the access rules of one server.
   *
   * @param token that requests must have; null for none
   * @param secret of the order
   * @param readOnly whether orders are refused
   * @param encrypted whether the server uses TLS
   */
  public AccessControl(@Nullable String token, String secret, boolean readOnly, boolean encrypted) {
    this.token = token;
    this.readOnly = readOnly;
    page = derived(secret, "page");
    cookie = derived(secret, "cookie");
    // cookies do not depend on the port: each server has its own name
    cookieName = (encrypted ? "__Host-roll-" : "roll-") + derived(secret, "name").substring(0, 8);
    cookieRules = "; Path=/; HttpOnly; SameSite=Strict" + (encrypted ? "; Secure" : "");
  }

  private static String derived(String secret, String purpose) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of()
          .formatHex(mac.doFinal(("roll.ui " + purpose).getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  /** Returns the token that the live page must send with each order. */
  String pageToken() {
    return page;
  }

  /** Returns whether {@code exchange} has the token or the cookie. */
  boolean allows(Exchange exchange) {
    return token == null || hasHeader(exchange) || hasCookie(exchange.header("Cookie"));
  }

  /**
   * Requires the access token of the page, as header or cookie.
   *
   * @throws HttpRefusal 401
   */
  void requireAllowed(Exchange exchange) {
    if (!allows(exchange)) {
      throw new HttpRefusal(401, "this page needs the token that was printed with its address");
    }
  }

  /**
   * Requires that the request may give orders to runs.
   *
   * @throws HttpRefusal 403
   */
  void requireOrder(Exchange exchange) {
    if (readOnly) {
      throw new HttpRefusal(403, "this page is read-only");
    }
    if (!hasHeader(exchange)) {
      throw new HttpRefusal(403, "an order needs the token of this page; reload the page");
    }
  }

  /**
   * Returns the cookie in exchange for the token.
   *
   * @throws HttpRefusal 401 if the token was not sent
   */
  String session(Exchange exchange) {
    String given = exchange.header(HEADER);
    if (token == null || given == null || !same(token, given)) {
      throw new HttpRefusal(401, "this is not the token that was printed with the address");
    }
    return cookieName + "=" + cookie + cookieRules;
  }

  private boolean hasHeader(Exchange exchange) {
    String given = exchange.header(HEADER);
    if (given == null) {
      return false;
    }
    boolean ofPage = same(page, given);
    boolean whole = token != null && same(token, given);
    return ofPage || whole;
  }

  private boolean hasCookie(@Nullable String header) {
    String begin = cookieName + "=";
    boolean found = false;
    for (String pair : header == null ? new String[0] : header.split(";", -1)) {
      String one = pair.strip();
      found |= one.startsWith(begin) && same(cookie, one.substring(begin.length()));
    }
    return found;
  }

  /** Compares two secrets in constant time. */
  private static boolean same(String expected, String given) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }
}
