package roll.env.click_and_read.site;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where links lead. A site has a made-up origin; only what resolves to it, and there to one of the
 * site's own paths, is inside: other hosts and schemes, and ways up out of the folder, never are.
 */
public final class Address {
  private static final String SCHEME = "http";

  /** A host that cannot exist (RFC 2606). */
  private static final String HOST = "site.invalid";

  private Address() {}

  /** The address of the page at {@code path}. */
  public static URI of(String path) {
    try {
      return new URI(SCHEME, HOST, "/" + path, null);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("no path: " + path, e);
    }
  }

  /**
   * {@code href} seen from {@code base}; empty where it is no address at all.
   *
   * @param base an absolute address
   * @param href what a page has as a link, may be relative
   */
  public static Optional<URI> resolve(URI base, String href) {
    String written = href.strip().replace(" ", "%20");
    int fragment = written.indexOf('#');
    String place = fragment < 0 ? written : written.substring(0, fragment);
    try {
      // java.net.URI would leave the last part of the path out
      return Optional.of(
          place.isEmpty() || place.startsWith("?") ? base : base.resolve(new URI(place)));
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The path of {@code address}, whatever it is; empty where it is not of a site. */
  public static Optional<String> path(URI address) {
    if (!SCHEME.equalsIgnoreCase(address.getScheme())
        || !HOST.equalsIgnoreCase(address.getAuthority())) {
      return Optional.empty();
    }
    return Optional.of(address.normalize().getPath().replaceFirst("^/", ""));
  }

  /** The one of {@code paths} that {@code address} means; a folder means its index page. */
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
