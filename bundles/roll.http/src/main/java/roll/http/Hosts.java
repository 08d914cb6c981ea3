package roll.http;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names a listener goes by. A page of another site can have a browser ask this machine, under a
 * name of its own that it lets point here, or under ours: the first shows in the header Host, the
 * second in Origin.
 */
final class Hosts {
  private static final Pattern HOST = Pattern.compile("(\\[[^\\]]*]|[^:\\[\\]]*)(?::\\d*)?");
  private static final Pattern ORIGIN = Pattern.compile("https?://(.*)");

  private final InetAddress bound;
  private final Set<String> names;

  Hosts(HttpPlace place) {
    bound = place.address();
    names = place.names().stream().map(Hosts::plain).collect(Collectors.toUnmodifiableSet());
  }

  private static String plain(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  /** Why a request with these headers is refused; null where it is not. */
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

  /** No name of another site is an address. */
  private boolean address(String text) {
    try {
      InetAddress address = InetAddress.ofLiteral(text);
      return address.isLoopbackAddress() || bound.isAnyLocalAddress() || address.equals(bound);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
