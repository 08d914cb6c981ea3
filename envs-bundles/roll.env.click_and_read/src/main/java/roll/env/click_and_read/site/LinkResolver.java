package roll.env.click_and_read.site;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Resolves the links of pages to paths of the site. A site has an artificial origin; a link is
 * inside the site only if it resolves to that origin and to one of the site's paths.
 */
public final class LinkResolver {
  private static final String SCHEME = "http";

  /** A reserved host name (RFC 2606). */
  private static final String HOST = "site.invalid";

  private LinkResolver() {}

  /** Returns the address of the page at {@code path}. */
  public static URI of(String path) {
    try {
      return new URI(SCHEME, HOST, "/" + path, null);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("no path: " + path, e);
    }
  }

  /**
   * Resolves {@code href} against {@code base}; empty if it is malformed.
   *
   * @param base an absolute address
   * @param href address of a link, may be relative
   */
  public static Optional<URI> resolve(URI base, String href) {
    String written = href.strip().replace(" ", "%20");
    int fragment = written.indexOf('#');
    String place = fragment < 0 ? written : written.substring(0, fragment);
    try {
      // java.net.URI would drop the last part of the path
      return Optional.of(
          place.isEmpty() || place.startsWith("?") ? base : base.resolve(new URI(place)));
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns the path of {@code address}; empty if it is not of the site's origin. */
  public static Optional<String> path(URI address) {
    if (!SCHEME.equalsIgnoreCase(address.getScheme())
        || !HOST.equalsIgnoreCase(address.getAuthority())) {
      return Optional.empty();
    }
    return Optional.of(address.normalize().getPath().replaceFirst("^/", ""));
  }

  /**
   * Returns the one of {@code paths} that {@code address} refers to; a folder refers to its index
   * page.
   */
  static Optional<String> inside(URI address, Set<String> paths) {
    return path(address).flatMap(path -> file(path, paths));
  }

  private static Optional<String> file(String path, Set<String> paths) {
    String folder = path.isEmpty() || path.endsWith("/") ? path : path + "/";
    return List.of(path, folder + "index.html", folder + "index.htm").stream()
        .filter(paths::contains)
        .findFirst();
  }
}
