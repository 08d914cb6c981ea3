package roll.http;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the Host and Origin headers against the names of this server. They reveal a web page of
 * another site that makes a browser send requests: Host if the site's name resolves to this
 * machine, Origin otherwise.
 */
final class AllowedHosts {
  private static final Pattern HOST = Pattern.compile("(\\[[^\\]]*]|[^:\\[\\]]*)(?::\\d*)?");
  private static final Pattern ORIGIN = Pattern.compile("https?://(.*)");

  private final InetAddress bound;
  private final Set<String> names;

  AllowedHosts(HttpListenerConfig place) {
    bound = place.address();
    names = place.names().stream().map(AllowedHosts::plain).collect(Collectors.toUnmodifiableSet());
  }

  private static String plain(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  /** Returns why a request with these headers is refused; null if it is not. */
  @Nullable String problem(@Nullable String host, @Nullable String origin) {
    Matcher name = HOST.matcher(host == null ? "" : host);
    if (host == null || !name.matches() || !known(plain(name.group(1)))) {
      return "This server does not answer to the host '%s'; see allowed hosts."
          .formatted(host == null ? "" : host);
    }
    if (origin != null) {
      Matcher site = ORIGIN.matcher(origin);
      if (!site.matches() || !site.group(1).equalsIgnoreCase(host)) {
        return "This server does not answer pages of the site '" + origin + "'.";
      }
    }
    return null;
  }

  private boolean known(String name) {
    return name.equals("localhost")
        || names.contains(name)
        || names.contains("*")
        || address(name.startsWith("[") ? name.substring(1, name.length() - 1) : name);
  }

  /** Returns whether {@code text} is an IP address, which cannot be the name of another site. */
  private boolean address(String text) {
    try {
      InetAddress address = InetAddress.ofLiteral(text);
      return address.isLoopbackAddress() || bound.isAnyLocalAddress() || address.equals(bound);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
