package roll.shell.serve;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import roll.runtime.serving.ServedLimits;
import roll.runtime.serving.ServedPlace;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.Syntax.Option;
import roll.shell.syntax.UserPath;

/** Where {@code serve} listens, for whom and within which limits. */
final class ServeOptions {
  private static final String KEY = "ROLL_API_KEY";
  private static final String CERTIFICATE = "--tls-cert";
  private static final String CERTIFICATE_KEY = "--tls-key";
  private static final String OF_CLIENT = "--max-requests-per-client";
  private static final String PICTURE_LIMIT = "--limit-mm-per-prompt";
  private static final String PICTURE_HOSTS = "--allowed-media-domains";
  private static final String OF_IMAGES = "image=";
  private static final int MANY = 100_000;

  /** Where, and for whom. */
  static final List<Option> PLACE =
      List.of(
          Option.one(
              "--host", "address", "127.0.0.1", "an address other than loopback needs a key"),
          Option.one("--port", "number", "8000", "0 picks a free port"),
          Option.optional("--api-key", "key", "required of every request; or " + KEY),
          Option.optional(
              "--allowed-hosts",
              "names",
              "names of this machine that requests may use besides localhost and the address;"
                  + " separated by commas, * for any"),
          Option.optional(CERTIFICATE, "file", "enables TLS: the certificate and its chain, PEM"),
          Option.optional(CERTIFICATE_KEY, "file", "its private key, PEM without a password"));

  /** Within which limits. */
  static final List<Option> LIMITS =
      List.of(
          Option.one(
              "--max-requests",
              "n",
              "256",
              "concurrent requests; clients retry when there are more"),
          Option.optional(OF_CLIENT, "n", "the same per address; by default as many as in total"),
          Option.one("--max-connections", "n", "1024", "open connections; idle ones make room"),
          Option.one("--max-connections-per-client", "n", "512", "the same of one address"),
          Option.one(
              "--request-timeout", "seconds", "30", "time for a request to arrive completely"));

  /** What a model that sees may be shown. */
  static final List<Option> PICTURES =
      List.of(
          Option.one(PICTURE_LIMIT, "image=n", "image=16", "pictures that a request may show"),
          Option.optional(
              PICTURE_HOSTS,
              "names",
              "hosts that pictures are fetched from, separated by commas, * for any; without it"
                  + " they come as data URLs"));

  private ServeOptions() {}

  /** How many pictures a request may show. */
  static int mostPictures(Arguments given) {
    String limit = given.text(PICTURE_LIMIT);
    try {
      int most =
          limit.startsWith(OF_IMAGES)
              ? Integer.parseInt(limit, OF_IMAGES.length(), limit.length(), 10)
              : -1;
      if (most >= 0) {
        return most;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw ServeCommand.SYNTAX.wrong(
        PICTURE_LIMIT + ": expected image=n with n from 0 up, found '" + limit + "'");
  }

  /** Hosts that pictures are fetched from. */
  static List<String> pictureHosts(Arguments given) {
    return names(given.optional(PICTURE_HOSTS));
  }

  private static List<String> names(@Nullable String names) {
    return names == null ? List.of() : List.of(names.strip().split("\\s*,\\s*", -1));
  }

  /** What {@code given} says. */
  static ServedPlace place(CommandSession session, Arguments given) {
    String key = given.optional("--api-key");
    String variable = System.getenv(KEY);
    return new ServedPlace(
        host(given),
        (int) given.integer("--port", 0, 65_535),
        key != null ? key : variable == null || variable.isBlank() ? null : variable,
        names(given.optional("--allowed-hosts")),
        certificate(session, given),
        limits(given));
  }

  private static InetAddress host(Arguments given) {
    try {
      return InetAddress.getByName(given.text("--host"));
    } catch (UnknownHostException e) {
      throw ServeCommand.SYNTAX.wrong("--host: there is no '" + given.text("--host") + "'");
    }
  }

  private static ServedPlace.@Nullable Certificate certificate(
      CommandSession session, Arguments given) {
    String chain = given.optional(CERTIFICATE);
    String key = given.optional(CERTIFICATE_KEY);
    if ((chain == null) != (key == null)) {
      throw ServeCommand.SYNTAX.wrong(CERTIFICATE + " and " + CERTIFICATE_KEY + " go together");
    }
    return chain == null || key == null
        ? null
        : new ServedPlace.Certificate(UserPath.of(session, chain), UserPath.of(session, key));
  }

  private static ServedLimits limits(Arguments given) {
    int requests = (int) given.integer("--max-requests", 1, MANY);
    return new ServedLimits(
        requests,
        given.flag(OF_CLIENT) ? (int) given.integer(OF_CLIENT, 1, MANY) : requests,
        (int) given.integer("--max-connections", 1, MANY),
        (int) given.integer("--max-connections-per-client", 1, MANY),
        Duration.ofSeconds(given.integer("--request-timeout", 1, 86_400)));
  }

  /** What a person should know of {@code place}; null for nothing. */
  static @Nullable String notice(ServedPlace place) {
    return place.certificate() != null || place.host().isLoopbackAddress()
        ? null
        : "notice: without "
            + CERTIFICATE
            + " requests, answers and the key can be read on their way to "
            + place.host().getHostAddress();
  }
}
